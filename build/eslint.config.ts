import tseslint from 'typescript-eslint'

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: a name is the same wherever it is used.',
}
const noBarrel = {
  selector: 'ExportAllDeclaration',
  message: 'No barrels: import from the file that makes the thing.',
}
const noDate = {
  selector: "Identifier[name='Date']",
  message: 'shared/ never reads a clock or a Date: times are UTC milliseconds that the caller passes.',
}
const noRandom = {
  selector: "MemberExpression[object.name='Math'][property.name='random']",
  message: 'shared/ gives the same answer for the same values: no randomness.',
}

// ESLint reads a default export.
export default tseslint.config(
  { ignores: ['node_modules/**', '**/dist/**', 'test-results/**', 'playwright-report/**', 'screenshots/**', 'build/*.cjs'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    rules: {
      'no-restricted-syntax': ['error', noDefaultExport, noBarrel],
      '@typescript-eslint/no-explicit-any': 'error',
      // The compiler reports it (noUnusedLocals, noUnusedParameters) without another pass through all scopes.
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['shared/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, noBarrel, noDate, noRandom] },
  },
  // Command-line doors speak to a terminal.
  { files: ['electron/node/**', 'build/**', 'tests/bench/**', 'tests/demo-broker/main.ts'], rules: { 'no-console': 'off' } },
  // Tools that read a default export.
  { files: ['build/*.config.ts', 'build/{programs,desktop}-setup.ts', 'build/not-run-reporter.ts'], rules: { 'no-restricted-syntax': ['error', noBarrel] } },
)
