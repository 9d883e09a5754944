import { setImmediate } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import type { Backend } from '#backend/host.ts'
import type { Settings } from '#backend/settings.ts'
import { createRedactor, redactLine, type Personal } from './personal-data.ts'

/** The journal's facts for a bundle; null if the journal could not be read. */
export type SupportFacts = Awaited<ReturnType<Backend['supportFacts']>> | null

/** Everything that goes into a bundle. */
export type BundleParts = {
  /** UTC ms. */
  readonly at: number
  /** Harmless facts by their names: versions and system. */
  readonly about: Readonly<Record<string, string | number>>
  readonly settings: Settings
  /** The program's environment: only names of settings are included. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly facts: SupportFacts
  /** Lines of the log, oldest first. */
  readonly logLines: readonly string[]
  readonly person: Omit<Personal, 'terms'>
}

/** Builds the support zip without personal data: versions, system, names of set settings, journal sizes, and the end of the log. */
export const supportBundle = async ({ at, about, settings, env, facts, logLines, person }: BundleParts): Promise<Uint8Array> => {
  const clean = createRedactor({ ...person, terms: [...(facts?.personal ?? []), ...ownHosts(settings)] })
  const lines: string[] = []
  for (const [index, line] of logLines.entries()) {
    // Yield, so that the program keeps answering its page.
    if (index % linesAtOnce === 0) await setImmediate()
    const cleaned = redactLine(line, clean, facts !== null)
    if (cleaned !== null) lines.push(cleaned)
  }
  const files = {
    'about.json': json({ ...about, leftOutOfLog: logLines.length - lines.length }),
    'settings.json': json(settingsToTell(settings, env)),
    'journal.json': json(facts === null ? null : { schemaVersion: facts.schemaVersion, rows: facts.rows, runs: facts.runs }),
    'log.ndjson': `${lines.join('\n')}\n`,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), { mtime: at })
}

const linesAtOnce = 50

// The log names unreachable hosts, and a self-hosted cloud or feed may carry a person's name.
const ownHosts = ({ cloudUrl, updatesUrl, tradovate: { redirectUri } }: Settings): readonly string[] =>
  [cloudUrl, updatesUrl, redirectUri].flatMap((address) => (address === null ? [] : [new URL(address).hostname])).filter((host) => host !== '127.0.0.1' && host !== 'localhost')

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const settingName = /^FILLBOOK_[A-Z_]{1,60}$/

// Values from a fixed set are harmless; a URL may be personal, and a time zone reveals where the user lives.
const settingsToTell = ({ port, logLevel, demoOffered, demoAccess, secrets, cloudUrl, firebase, tradovate }: Settings, env: BundleParts['env']) => ({
  inEnvironment: Object.entries(env).filter(([name, value]) => settingName.test(name) && value !== undefined && value !== '').map(([name]) => name).toSorted(),
  port,
  logLevel,
  demoOffered,
  demoAccess,
  secrets,
  set: { cloud: cloudUrl !== null, firebase: firebase !== null, firebaseEmulator: firebase !== null && firebase.emulatorUrl !== null, google: firebase !== null && firebase.google !== null, tradovateClient: tradovate.clientId !== null, tradovateRedirect: tradovate.redirectUri !== null },
})
