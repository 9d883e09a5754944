/** The environment for a program under test: no setting of Fillbook but those given, whatever the tests themselves were started with; tokens are kept in a file. */
export const cleanEnv = (given: Readonly<Record<string, string>> = {}): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FILLBOOK_'))),
  FILLBOOK_SECRETS: 'file',
  ...given,
})
