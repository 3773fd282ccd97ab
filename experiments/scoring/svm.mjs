// Support vector machines by LIBSVM compiled to JavaScript.
import { createRequire } from 'node:module';

const SVM = createRequire(import.meta.url)('libsvm-js/asm');

/**
 * Linear C-SVM, one against one: takes training points with labels, returns a classifier for
 * further points.
 */
export function linearSvm(points, labels, cost = 1) {
  const svm = new SVM({
    kernel: SVM.KERNEL_TYPES.LINEAR,
    type: SVM.SVM_TYPES.C_SVC,
    cost,
    quiet: true,
  });
  svm.train(points, labels);
  return (point) => svm.predictOne(point);
}
