import { pathToFileURL } from 'node:url'
import { notesOf, settingNames } from '#backend/settings-schema.ts'

/** The README's table of settings, made from what checks them. */
export const settingsTable = (): string =>
  [
    '| setting | shape | default | purpose |',
    '|---|---|---|---|',
    ...settingNames.map((name) => {
      const { shape, standard, purpose, secret } = notesOf(name)
      return `| \`${name}\` | ${shape}${secret === true ? ' (environment only)' : ''} | ${standard} | ${purpose} |`
    }),
  ].join('\n')

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(settingsTable())
