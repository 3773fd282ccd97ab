"""python3 tools/verify STUDY RELEASE...

Recomputes the noise and the guarantee of releases or sums from their study's parameters, with nothing but the standard
library and the mathematics of docs/mechanisms, and prints for each claim whether it holds, the stated figure and the
recomputed one. Exit status: 0 if all hold, 1 if one does not, 2 if a file cannot be read.
"""

import json
import sys

import centring
import eigenvector_sampling
import frobenius
import gaussian
import laplace
import layout
import power_method
import ppca
import shared_noise
import two_sided_wishart
import wishart
from claims import Claims
from study import Study

FORMATS = ("private-moments/release@1", "private-moments/sum@1")

MECHANISMS = {
    "gaussian": gaussian,
    "two-sided-wishart": two_sided_wishart,
    "laplace": laplace,
    "frobenius": frobenius,
    "wishart": wishart,
    "eigenvector-sampling": eigenvector_sampling,
    "ppca": ppca,
    "power-method": power_method,
}

# What reading a document of another shape ends in.
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)


class Unreadable(Exception):
    pass


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path}: {error}") from error


def claims_of(study, document):
    """The claims of a release or a sum, each checked."""
    if document["format"] not in FORMATS:
        raise ValueError("neither a release nor a sum")
    claims = Claims()
    layout.check(claims, study, document)
    if study.is_shared:
        shared_noise.check(claims, study, document)
    elif study.is_centred:
        centring.check(claims, study, document)
    else:
        MECHANISMS[study.name].check(claims, study, document)
    return claims


def attempt(path, action):
    try:
        return action(read(path))
    except MALFORMED as error:
        raise Unreadable(f"{path} cannot be checked: {type(error).__name__}: {error}") from error


def main(paths):
    if len(paths) < 2:
        raise Unreadable(__doc__.strip())
    study = attempt(paths[0], Study)
    status = 0
    for path in paths[1:]:
        try:
            claims = attempt(path, lambda document: claims_of(study, document))
        except Unreadable as error:
            print(error, file=sys.stderr)
            status = 2
            continue
        print(f"{path}: {'yes' if claims.hold else 'no'}")
        for claim in claims.all:
            print(claim.line())
        status = max(status, 0 if claims.hold else 1)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Unreadable as error:
        print(error, file=sys.stderr)
        sys.exit(2)
