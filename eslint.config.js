import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const INEXACT = [
  ...['hypot', 'pow', 'exp', 'expm1', 'log', 'log1p', 'log2', 'log10', 'cbrt', 'random'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2'],
  ...['sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh'],
];

export default tseslint.config(
  {
    ignores: [
      'build/',
      'node_modules/',
      'test-results/',
      'playwright-report/',
      'demo-report/',
      '**/dist/',
      // A template: the build puts the list of files in.
      'web/site/sw.js',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // Numbers and booleans in messages read better as they are.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    // Equal questions have equal answers, to the last digit, in every engine. These are not rounded
    // correctly everywhere.
    files: ['web/package/src/forecast/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...INEXACT.map((property) => ({ object: 'Math', property })),
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ":matches(BinaryExpression[operator='**'], AssignmentExpression[operator='**='])",
          message: 'Powers differ among engines: multiply.',
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: globals.node },
  },
  {
    files: [
      'bench/page/*.js',
      'examples/shared/main.js',
      'samples/elements/**/*.js',
      'web/site/public/*.js',
    ],
    languageOptions: { globals: globals.browser },
  },
);
