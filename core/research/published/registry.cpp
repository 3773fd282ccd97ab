#include "core/research/published/registry.hpp"

#include <cmath>

#include "core/research/published/additive.hpp"
#include "core/research/published/eigenvectors.hpp"
#include "core/research/published/hardt_price.hpp"
#include "core/research/published/non_private.hpp"
#include "core/research/published/output_perturbation.hpp"
#include "core/research/published/ppca_gibbs.hpp"
#include "core/research/published/wishart.hpp"

namespace pm {
namespace {

constexpr Published kPublished[] = {
    {"non-private", "the exact matrix", "nothing",
     "no noise is added, so every row can be found in it", Output::kMatrix, &noGuarantee,
     &nonPrivateScatter},
    {"laplace-2d", "Amin et al. 2019, their baseline", "pure epsilon",
     "holds, with at most 0.56 of epsilon under replace-one and 3/8 under add-remove",
     Output::kMatrix, &laplace2dGuarantee, &laplace2d},
    {"analyze-gauss-classical", "Dwork et al. 2014, on C/n with sensitivity sqrt(2)/n",
     "(epsilon, delta)", "holds for epsilon up to 1, with a margin; not for every larger epsilon",
     Output::kMatrix, &classicalGaussGuarantee, &classicalGauss},
    {"analyze-gauss-one-over-n", "Imtiaz, Sarwate 2019: sensitivity 1/n", "(epsilon, delta)",
     "at small delta a larger epsilon under replace-one: 1/n is for replacing a row by zero",
     Output::kMatrix, &classicalGaussOneOverNGuarantee, &classicalGaussOneOverN},
    {"symmetric-noise", "Imtiaz, Sarwate 2016, withdrawn 2017", "pure epsilon",
     "none: its support reveals a row. P(Y - A not PSD) = 1 - e^-epsilon without one row of A, 0 "
     "with it",
     Output::kMatrix, &noGuarantee, &symmetricNoise},
    {"jiang-wishart", "Jiang, Xie, Zhang 2016", "pure epsilon",
     "none: its support reveals a row. P(Y - A not PSD) = 1 - e^(-epsilon/3) without one row of A, "
     "0 with it",
     Output::kMatrix, &noGuarantee, &jiangWishart},
    {"sheffet-wishart", "Sheffet 2019", "(epsilon, delta)",
     "holds for epsilon up to 4, with several times the required noise", Output::kMatrix,
     &sheffetWishartGuarantee, &sheffetWishart},
    {"kapralov-talwar", "Kapralov, Talwar 2013", "pure epsilon", "holds, with exact draws",
     Output::kMatrix, &kapralovTalwarGuarantee, &kapralovTalwar},
    {"amin-iterative", "Amin et al. 2019, adaptive split", "pure epsilon",
     "holds, with 3/4 of epsilon under replace-one and 3/8 under add-remove", Output::kMatrix,
     &aminIterativeGuarantee, &aminIterative},
    {"ppca-gibbs", "Chaudhuri, Sarwate, Sinha 2013; Hoff 2009", "pure epsilon",
     "none: the distance of a chain of fixed length from the private law is not known",
     Output::kDirections, &noGuarantee, &ppcaGibbs},
    {"hardt-price", "Hardt, Price 2014, largest entry of V taken as 1", "(epsilon, delta)",
     "holds for a row up to epsilon 2.3 ln(1/delta), as their reduction of the noise is left out; "
     "with it, only for changing one entry of the matrix by 1",
     Output::kDirections, &hardtPriceGuarantee, &hardtPrice},
    {"output-perturbation", "Chaudhuri, Monteleoni, Sarwate 2011, for ridge regression",
     "pure epsilon", "holds for replacing a row, with the sensitivity of the squared loss",
     Output::kWeights, &outputPerturbationGuarantee, &outputPerturbation},
};

}  // namespace

const char* name(Output output) {
  switch (output) {
    case Output::kMatrix: return "matrix";
    case Output::kDirections: return "directions";
    case Output::kWeights: break;
  }
  return "weights";
}

std::optional<Guarantee> noGuarantee(const PublishedParams&) { return {}; }

std::span<const Published> published() { return kPublished; }

Status checkPublished(const PublishedParams& params, const Eigen::MatrixXd& scatter) {
  if (!(params.epsilon > 0) || !std::isfinite(params.epsilon)) {
    return Error{Code::kInvalidEpsilon, "epsilon must be a finite number above 0", "epsilon"};
  }
  if (!(params.delta >= 0 && params.delta < 1)) {
    return Error{Code::kInvalidDelta, "delta must be at least 0 and below 1", "delta"};
  }
  if (!(params.rows >= 1) || !std::isfinite(params.rows)) {
    return Error{Code::kNoRows, "rows must be a number of at least 1", "rows"};
  }
  if (scatter.rows() < 2 || scatter.rows() != scatter.cols()) {
    return Error{Code::kInvalidDimension, "the matrix must be square, at least 2 x 2", "scatter"};
  }
  if (!scatter.allFinite()) {
    return Error{Code::kNotFinite, "the matrix contains a number that is not finite", "scatter"};
  }
  if (params.components < 1 || params.components > scatter.rows()) {
    return Error{Code::kInvalidComponents, "components must be between 1 and the dimension",
                 "components"};
  }
  if (params.rounds < 1 || params.rounds > 1000) {
    return Error{Code::kInvalidMechanism, "rounds must be between 1 and 1000", "rounds"};
  }
  if (!(params.penalty > 0) || !std::isfinite(params.penalty)) {
    return Error{Code::kInvalidMechanism, "penalty must be a finite number above 0", "penalty"};
  }
  return {};
}

const Published* findPublished(std::string_view name) {
  for (const Published& mechanism : kPublished) {
    if (mechanism.name == name) return &mechanism;
  }
  return nullptr;
}

}  // namespace pm
