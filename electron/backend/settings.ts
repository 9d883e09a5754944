import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { cloudSettingNames } from '#shared/api/cloud-settings.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { projectxFirms, type ProjectxFirm, type ProjectxFirmId } from './brokers/projectx/hosts.ts'
import type { StartProblem } from './start-problem.ts'
import type { LogLevel } from './log.ts'
import { isOpenToOthers, foreignWriterProblem } from './own-folder.ts'
import { notesOf, settingNames, settingsSchema, standardHosts } from './settings-schema.ts'
import type { SettingName } from './settings-schema.ts'

/** The settings of this start. */
export type Settings = {
  /** Absolute. */
  readonly dataDir: string
  /** 0 for any free port. */
  readonly port: number
  /** Whether the port must not change: the user set it, or a brokerage redirects to it. */
  readonly portKnown: boolean
  readonly logLevel: LogLevel
  /** IANA name, for new profiles. */
  readonly timeZone: string
  readonly demoOffered: boolean
  /** The demo profile's access. */
  readonly demoAccess: 'open' | 'closed' | 'admin' | 'subscriber'
  /** Null for this computer only. */
  readonly cloudUrl: string | null
  /** Where the desktop looks for newer versions; null for the packed default. */
  readonly updatesUrl: string | null
  readonly secrets: 'auto' | 'keychain' | 'file'
  /** Null for local profiles. */
  readonly firebase: FirebaseSettings | null
  /** Calls that the copier may make with one login in a rolling hour. */
  readonly copierCallsPerHour: number
  readonly tradovate: {
    readonly clientId: string | null
    /** Only if set in the environment; otherwise it is in the secret storage. */
    readonly clientSecret: string | null
    /** Null for this program's own /oauth/callback. */
    readonly redirectUri: string | null
    readonly authorizeUrl: string
    readonly tokenUrls: readonly [string, string]
    readonly liveUrl: string
    readonly demoUrl: string
    /** A side without one has no backfill. */
    readonly reports: { readonly live?: string; readonly demo?: string }
    /** Null for no prices. */
    readonly quotesUrl: string | null
  }
  /** ProjectX firms and their addresses. */
  readonly projectx: Readonly<Record<ProjectxFirmId, ProjectxFirm>>
  readonly databentoUrl: string
}

/** A Firebase project. */
export type FirebaseSettings = {
  readonly projectId: string
  readonly apiKey: string
  readonly authDomain: string
  /** Null for Firebase itself. */
  readonly emulatorUrl: string | null
  /** Null for no token sync. */
  readonly tokenSyncPath: string | null
  /** Null without sign-in with Google. */
  readonly google: {
    readonly clientId: string
    /** Only if set in the environment; otherwise it is in the secret storage. */
    readonly clientSecret: string | null
    readonly authorizeUrl: string
    readonly tokenUrl: string
  } | null
}

/** The sources of settings; the command line overrides the environment, which overrides the file. */
export type SettingSources = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly dataDir?: string | undefined
  readonly port?: string | undefined
  /** The cloud that the program was packed with: no setting can change or remove it. */
  readonly packedCloudUrl?: string | undefined
  readonly platform?: NodeJS.Platform
  readonly home?: string
}

const prefix = 'FILLBOOK_'
const liveTokenUrls = ['https://live.tradovateapi.com/auth/oauthtoken', 'https://live.tradovateapi.com/v1/auth/oauthtoken'] as const

/** The system's folder for application data. */
export const standardDataDir = (platform: NodeJS.Platform, home: string, env: SettingSources['env']): string => {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Fillbook')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fillbook')
  return join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'Fillbook')
}

/** Reads and validates every setting; reports all problems at once. No problem contains a secret's value. */
export const readSettings = (sources: SettingSources): Result<Settings, readonly StartProblem[]> => {
  const { env } = sources
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name.startsWith(prefix) && value !== undefined && value !== ''))
  // An empty path would be the current folder.
  if (sources.dataDir?.trim() === '') return err([{ name: '--data-dir', wanted: 'a folder', remedy: 'Name a folder, or leave the option out for the default.' }])
  const dataDir = resolve(sources.dataDir ?? given['FILLBOOK_DATA_DIR'] ?? standardDataDir(sources.platform ?? process.platform, sources.home ?? homedir(), env))
  const named = given['FILLBOOK_SETTINGS_FILE']
  const file = readFile(named ?? join(dataDir, 'settings.json'), named !== undefined)
  const problems = [...unknownNames(Object.keys(given).filter(isNotTheClouds), 'the environment'), ...file.problems]
  const fromLine = sources.port === undefined ? {} : { FILLBOOK_PORT: sources.port }
  // Each source is checked: a wrong value is reported even if another source overrides it.
  problems.push(...wrongValues(file.values, file.path), ...wrongValues(given, 'the environment'), ...wrongValues(fromLine, 'the command line'))
  const parsed = settingsSchema.safeParse({ ...file.values, ...given, ...fromLine })
  if (!parsed.success || problems.length > 0) return err(problems)
  const values = parsed.data
  const packed = sources.packedCloudUrl
  const contradictions = [...firebaseProblems(values, env['NODE_ENV']), ...packedCloudProblems(values.FILLBOOK_CLOUD_URL, packed)]
  if (contradictions.length > 0) return err(contradictions)
  return ok({
    dataDir,
    port: values.FILLBOOK_PORT,
    portKnown: [file.values, given, fromLine].some((place) => 'FILLBOOK_PORT' in place) || values.FILLBOOK_TRADOVATE_CLIENT_ID !== undefined || (packed ?? values.FILLBOOK_CLOUD_URL) !== undefined,
    logLevel: values.FILLBOOK_LOG_LEVEL,
    timeZone: values.FILLBOOK_TIMEZONE ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    demoOffered: values.FILLBOOK_DEMO,
    demoAccess: values.FILLBOOK_DEMO_ACCESS,
    cloudUrl: packed ?? values.FILLBOOK_CLOUD_URL ?? null,
    updatesUrl: values.FILLBOOK_UPDATES_URL ?? null,
    secrets: values.FILLBOOK_SECRETS,
    firebase: firebaseOf(values),
    copierCallsPerHour: values.FILLBOOK_COPIER_CALLS_PER_HOUR,
    tradovate: {
      clientId: values.FILLBOOK_TRADOVATE_CLIENT_ID ?? null,
      clientSecret: values.FILLBOOK_TRADOVATE_CLIENT_SECRET ?? null,
      redirectUri: values.FILLBOOK_TRADOVATE_REDIRECT_URI ?? null,
      authorizeUrl: values.FILLBOOK_TRADOVATE_AUTHORIZE_URL,
      tokenUrls: tokenUrlsOf(values.FILLBOOK_TRADOVATE_TOKEN_URL),
      liveUrl: values.FILLBOOK_TRADOVATE_LIVE_URL,
      demoUrl: values.FILLBOOK_TRADOVATE_DEMO_URL,
      reports: {
        ...reportsOf('live', values.FILLBOOK_TRADOVATE_REPORTS_LIVE_URL, values.FILLBOOK_TRADOVATE_LIVE_URL),
        ...reportsOf('demo', values.FILLBOOK_TRADOVATE_REPORTS_DEMO_URL, values.FILLBOOK_TRADOVATE_DEMO_URL),
      },
      quotesUrl: values.FILLBOOK_TRADOVATE_QUOTES_URL ?? quotesBeside(values),
    },
    projectx: { topstepx: { ...projectxFirms.topstepx, api: values.FILLBOOK_TOPSTEPX_URL, hub: values.FILLBOOK_TOPSTEPX_HUB_URL ?? (values.FILLBOOK_TOPSTEPX_URL === projectxFirms.topstepx.api ? projectxFirms.topstepx.hub : null) } },
    databentoUrl: values.FILLBOOK_DATABENTO_URL,
  })
}

type Values = z.output<typeof settingsSchema>

// Another cloud could claim anything about its users.
const packedCloudProblems = (given: string | undefined, packed: string | undefined): StartProblem[] =>
  packed === undefined || given === undefined || given === packed ? [] : [{ name: 'FILLBOOK_CLOUD_URL', wanted: 'unset', remedy: 'Unset it: this program was packed with a cloud of its own. To use another cloud, or none, run Fillbook from its sources.' }]

const emulatorKey = 'emulator'

const firebaseProblems = (values: Values, mode: string | undefined): StartProblem[] => {
  const { FILLBOOK_FIREBASE_API_KEY: key, FILLBOOK_FIREBASE_PROJECT_ID: project, FILLBOOK_FIREBASE_EMULATOR_URL: emulator } = values
  const missing = (name: SettingName, other: SettingName): StartProblem => ({ name, wanted: `set where ${other} is`, remedy: `Set it too, or unset ${other} to keep profiles on this computer.` })
  const problems: StartProblem[] = []
  if (project === undefined && key !== undefined) problems.push(missing('FILLBOOK_FIREBASE_PROJECT_ID', 'FILLBOOK_FIREBASE_API_KEY'))
  else if (project === undefined && emulator !== undefined) problems.push(missing('FILLBOOK_FIREBASE_PROJECT_ID', 'FILLBOOK_FIREBASE_EMULATOR_URL'))
  // The emulator accepts any key.
  if (project !== undefined && key === undefined && emulator === undefined) problems.push(missing('FILLBOOK_FIREBASE_API_KEY', 'FILLBOOK_FIREBASE_PROJECT_ID'))
  // Anyone who reaches an emulator can sign in as anyone.
  if (emulator !== undefined && mode === 'production') problems.push({ name: 'FILLBOOK_FIREBASE_EMULATOR_URL', wanted: 'unset where NODE_ENV is production', remedy: 'Unset it to sign in at Firebase, or unset NODE_ENV to try things out.' })
  return problems
}

const firebaseOf = (values: Values): FirebaseSettings | null => {
  const projectId = values.FILLBOOK_FIREBASE_PROJECT_ID
  if (projectId === undefined) return null
  const clientId = values.FILLBOOK_GOOGLE_CLIENT_ID
  return {
    projectId,
    apiKey: values.FILLBOOK_FIREBASE_API_KEY ?? emulatorKey,
    authDomain: values.FILLBOOK_FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`,
    emulatorUrl: values.FILLBOOK_FIREBASE_EMULATOR_URL ?? null,
    tokenSyncPath: values.FILLBOOK_FIREBASE_TOKEN_SYNC_PATH ?? null,
    google: clientId === undefined ? null : { clientId, clientSecret: values.FILLBOOK_GOOGLE_CLIENT_SECRET ?? null, authorizeUrl: values.FILLBOOK_GOOGLE_AUTHORIZE_URL, tokenUrl: values.FILLBOOK_GOOGLE_TOKEN_URL },
  }
}

// A given address is the only one used; there is no second form to try.
const tokenUrlsOf = (given: string | undefined): readonly [string, string] => (given === undefined ? liveTokenUrls : [given, given])

const reportUrls = { live: 'https://rpt-live.tradovateapi.com/v1', demo: 'https://rpt-demo.tradovateapi.com/v1' } as const

// A custom host has no reporting service unless one is set: a token must not go to another broker.
const reportsOf = (side: 'live' | 'demo', given: string | undefined, host: string): { live?: string; demo?: string } => {
  const url = given ?? (host === standardHosts[side] ? reportUrls[side] : undefined)
  return url === undefined ? {} : { [side]: url }
}

const quotesUrl = 'https://md.tradovateapi.com/v1'
const quotesBeside = ({ FILLBOOK_TRADOVATE_LIVE_URL: live, FILLBOOK_TRADOVATE_DEMO_URL: demo }: Values): string | null => (live === standardHosts.live && demo === standardHosts.demo ? quotesUrl : null)

type FileRead = { readonly path: string; readonly values: Record<string, unknown>; readonly problems: readonly StartProblem[] }

const readFile = (path: string, mustExist: boolean): FileRead => {
  const refuse = (wanted: string, remedy: string): FileRead => ({ path, values: {}, problems: [{ name: path, wanted, remedy }] })
  if (!existsSync(path)) return mustExist ? refuse('a file that exists', 'Create it, or unset FILLBOOK_SETTINGS_FILE.') : { path, values: {}, problems: [] }
  if (isOpenToOthers(path)) return { path, values: {}, problems: [foreignWriterProblem(path)] }
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return refuse('readable JSON', 'Fix the file, or remove it to start with the defaults.')
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(content)
  if (!parsed.success) return refuse('a JSON object, {"FILLBOOK_PORT": 47615}', 'Fix the file, or remove it to start with the defaults.')
  const values = parsed.data
  const misplaced = settingNames.filter((name) => name in values).flatMap((name) => misplacedName(name, path))
  return { path, values, problems: [...unknownNames(Object.keys(values), path), ...misplaced] }
}

const misplacedName = (name: SettingName, path: string): readonly StartProblem[] => {
  const { secret, environmentOnly } = notesOf(name)
  if (secret === true) {
    return [{ name, wanted: 'kept out of files', remedy: `Remove it from ${path} and set it in the environment for one start: it then moves to where secrets are kept.` }]
  }
  if (environmentOnly === true) return [{ name, wanted: 'set in the environment', remedy: `Remove it from ${path}: it decides where that file is.` }]
  return []
}

const wrongValues = (values: Readonly<Record<string, unknown>>, where: string): StartProblem[] => {
  const parsed = settingsSchema.safeParse(values)
  const wrong = new Set(parsed.success ? [] : parsed.error.issues.map(({ path }) => path[0] as SettingName))
  return [...wrong].map((name) => wrongValue(name, where))
}

const wrongValue = (name: SettingName, where: string): StartProblem => {
  const { shape, standard } = notesOf(name)
  return { name, wanted: shape, remedy: `Correct it in ${where}, or unset it${standard === '' ? '' : ` to use ${standard.replaceAll('`', '')}`}.` }
}

const isNotTheClouds = (name: string): boolean => !(cloudSettingNames as readonly string[]).includes(name)

const unknownNames = (names: readonly string[], where: string): StartProblem[] =>
  names
    .filter((name) => !(settingNames as readonly string[]).includes(name))
    .map((name) => ({ name: shortened(name), wanted: 'a setting that exists', remedy: `Remove it from ${where}.${nearestHint(name)}` }))

const shortened = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)

const nearestHint = (name: string): string => {
  const nearest = nearestName(name)
  return distance(name, nearest) <= nearest.length / 4 ? ` Was ${nearest} meant?` : ''
}

const nearestName = (name: string): SettingName =>
  settingNames.reduce((best, candidate) => (distance(name, candidate) < distance(name, best) ? candidate : best))

/** The edit distance: letters inserted, deleted or replaced. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...one.slice(0, 80)].entries()) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j += 1) next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other[j] ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
