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

const crowdedImports = {
  rules: {
    'max-imports': {
      meta: { type: 'suggestion', schema: [{ type: 'integer' }] },
      create(context: { options: number[]; report: (d: object) => void }) {
        const most = context.options[0] ?? 20
        let count = 0
        return {
          ImportDeclaration(node: object) {
            count += 1
            if (count === most + 1) context.report({ node, message: `More than ${String(most)} imports: this file knows too many rooms.` })
          },
        }
      },
    },
  },
}

// ESLint reads a default export.
export default tseslint.config(
  { ignores: ['node_modules/**', '**/dist/**', 'test-results/**', 'playwright-report/**', 'screenshots/**', 'build/*.cjs'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    // ESLint's own plugin type asks for more than a rule of ten lines needs.
    plugins: { house: crowdedImports as never },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'house/max-imports': ['error', 20],
      'no-restricted-syntax': ['error', noDefaultExport, noBarrel],
      '@typescript-eslint/no-explicit-any': 'error',
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
  { files: ['electron/node/**', 'electron/backend/demo/main.ts', 'build/**', 'tests/bench/**'], rules: { 'no-console': 'off' } },
  // Tools that read a default export.
  { files: ['build/*.config.ts', 'build/{programs,desktop}-setup.ts', 'build/not-run-reporter.ts'], rules: { 'no-restricted-syntax': ['error', noBarrel] } },
)
