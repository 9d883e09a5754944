import { pathToFileURL } from 'node:url'
import { notesOf, settingNames } from '#backend/settings-schema.ts'
import { settingNotes } from '#cloud/settings-schema.ts'
import { cloudSettingNames } from '#shared/api/cloud-settings.ts'

type Row = { readonly name: string; readonly shape: string; readonly standard: string; readonly purpose: string; readonly secret?: true | undefined }

const table = (rows: readonly Row[]): string =>
  ['| setting | shape | default | purpose |', '|---|---|---|---|', ...rows.map(({ name, shape, standard, purpose, secret }) => `| \`${name}\` | ${shape}${secret === true ? ' (environment only)' : ''} | ${standard} | ${purpose} |`)].join('\n')

/** The README's tables of settings by the name of their marks, made from what checks them. */
export const settingsTables = {
  settings: table(settingNames.map((name) => ({ name, ...notesOf(name) }))),
  'cloud-settings': table(cloudSettingNames.map((name) => ({ name, ...settingNotes[name] }))),
} as const

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [mark, text] of Object.entries(settingsTables)) console.log(`<!-- ${mark} -->\n${text}\n<!-- /${mark} -->\n`)
}
