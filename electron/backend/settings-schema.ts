import { z } from 'zod'
import { projectxFirms } from './brokers/projectx/hosts.ts'
import { logLevels } from './log.ts'

/** What docs/settings.md and error messages say about a setting. */
export type SettingNotes = {
  /** The expected format, to complete 'must be …'. */
  readonly shape: string
  /** The default; empty if there is none. */
  readonly standard: string
  readonly purpose: string
  /** Its value is never shown, and must not be in the settings file. */
  readonly secret?: true
  /** Only the environment can set it, because it decides where the settings file is. */
  readonly environmentOnly?: true
}

/** The port of the browser's stored data; changing it loses them. */
export const standardPort = 47_615

/** Tradovate's hosts. */
export const standardHosts = { live: 'https://live.tradovateapi.com/v1', demo: 'https://demo.tradovateapi.com/v1' } as const

const text = z.string().trim().min(1)
const folder = text
const isLoopback = (url: URL): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
const safeUrl = text.refine((given) => {
  const url = URL.parse(given)
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))
})
const loopbackUrl = text.refine((given) => {
  const url = URL.parse(given)
  return url !== null && url.protocol === 'http:' && isLoopback(url)
})
const safeShape = 'an https:// address (http:// only on 127.0.0.1 or localhost)'
const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
const onOff = z.union([z.enum(['on', 'off']).transform((word) => word === 'on'), z.boolean()])

const settingNotes = z.registry<SettingNotes>()

/** Every `FILLBOOK_*` variable with defaults; the settings file uses the same names. */
export const settingsSchema = z.object({
  FILLBOOK_DATA_DIR: folder.optional().register(settingNotes, {
    shape: 'the path of a folder',
    standard: "the system's folder for application data, `Fillbook` in it",
    purpose: 'The folder of the journal, its backups, logs, and settings.',
    environmentOnly: true,
  }),
  FILLBOOK_SETTINGS_FILE: folder.optional().register(settingNotes, {
    shape: 'the path of a JSON file',
    standard: '`settings.json` in the data folder',
    purpose: 'The file with these settings; the environment wins over it.',
    environmentOnly: true,
  }),
  FILLBOOK_PORT: z.union([z.number(), text.transform(Number)]).pipe(z.number().int().refine((port) => port === 0 || (port >= 1_024 && port <= 65_535))).default(standardPort).register(settingNotes, {
    shape: 'a whole number from 1024 to 65535, or 0 for any free port',
    standard: String(standardPort),
    purpose: 'The port on 127.0.0.1; `--port` wins. The browser stores theme, language, and sign-in per port. If it is unset and no brokerage or cloud redirects to it, `npm start` in a browser takes a free port each time.',
  }),
  FILLBOOK_LOG_LEVEL: z.enum(logLevels).default('info').register(settingNotes, {
    shape: `one of ${logLevels.join(', ')}`,
    standard: 'info',
    purpose: 'The detail of the log files.',
  }),
  FILLBOOK_TIMEZONE: text.refine(isTimeZone).optional().register(settingNotes, {
    shape: 'the name of a time zone, like America/New_York',
    standard: "the computer's",
    purpose: 'The time zone of local dates for new profiles; a profile keeps its own.',
  }),
  FILLBOOK_DEMO: onOff.default(true).register(settingNotes, {
    shape: 'on or off',
    standard: 'on',
    purpose: 'Offers the demo brokerage.',
  }),
  FILLBOOK_DEMO_ACCESS: z.enum(['open', 'closed', 'admin', 'subscriber']).default('open').register(settingNotes, {
    shape: 'one of open, closed, admin, subscriber',
    standard: 'open',
    purpose: "The rights of the demo profile: all pages, only the free ones, or those of the cloud's admin or subscriber user. For trying the gates; real profiles are not affected.",
  }),
  FILLBOOK_FIREBASE_API_KEY: text.max(300).optional().register(settingNotes, {
    shape: 'the web API key of a Firebase project',
    standard: '',
    purpose: 'Together with the project id, signs users in with Firebase. If unset, profiles are local.',
  }),
  FILLBOOK_FIREBASE_PROJECT_ID: text.regex(/^[a-z0-9-]+$/).max(100).optional().register(settingNotes, {
    shape: 'the id of a Firebase project',
    standard: '',
    purpose: 'The project whose tokens Fillbook accepts.',
  }),
  FILLBOOK_FIREBASE_AUTH_DOMAIN: text.max(300).regex(/^[\w.-]+$/).optional().register(settingNotes, {
    shape: 'the name of a host, like auth.example.com',
    standard: '`<project>.firebaseapp.com`',
    purpose: 'The host of the pages behind mailed links.',
  }),
  FILLBOOK_FIREBASE_EMULATOR_URL: loopbackUrl.optional().register(settingNotes, {
    shape: "the http:// address of Firebase's Auth emulator on this computer",
    standard: '',
    purpose: 'Signs in at the emulator and accepts its unsigned tokens; refused if NODE_ENV is production.',
  }),
  FILLBOOK_FIREBASE_TOKEN_SYNC_PATH: text.regex(/^\/[\w/-]*$/).optional().register(settingNotes, {
    shape: 'a path that begins with /',
    standard: '',
    purpose: 'The path at which the cloud receives each new identity token and its end. If unset, nothing is sent.',
  }),
  FILLBOOK_GOOGLE_CLIENT_ID: text.max(300).optional().register(settingNotes, {
    shape: "the client id of a desktop application at Google",
    standard: '',
    purpose: 'Offers to sign in with Google, if Firebase is set and has that provider.',
  }),
  FILLBOOK_GOOGLE_CLIENT_SECRET: text.max(300).optional().register(settingNotes, {
    shape: "the client secret of that application",
    standard: '',
    purpose: 'Google requires it although every copy of the program has it. Needed at one start only: it moves to the keychain or the encrypted file.',
    secret: true,
  }),
  FILLBOOK_GOOGLE_AUTHORIZE_URL: safeUrl.default('https://accounts.google.com/o/oauth2/v2/auth').register(settingNotes, {
    shape: safeShape,
    standard: '`https://accounts.google.com/o/oauth2/v2/auth`',
    purpose: "Google's sign-in page.",
  }),
  FILLBOOK_GOOGLE_TOKEN_URL: safeUrl.default('https://oauth2.googleapis.com/token').register(settingNotes, {
    shape: safeShape,
    standard: '`https://oauth2.googleapis.com/token`',
    purpose: "Exchanges Google's code for the token that Firebase accepts.",
  }),
  FILLBOOK_CLOUD_URL: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: '',
    purpose: 'The cloud that keeps a copy of every journal except the demo. If unset, journals are on this computer only.',
  }),
  FILLBOOK_UPDATES_URL: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: 'what the program was packed with',
    purpose: 'The feed of updates for an installed program. Packing reads the same name.',
  }),
  FILLBOOK_SECRETS: z.enum(['auto', 'keychain', 'file']).default('auto').register(settingNotes, {
    shape: 'one of auto, keychain, file',
    standard: 'auto',
    purpose: "Where tokens and secrets are kept: the system's keychain or an encrypted file; auto uses the keychain if there is one.",
  }),
  FILLBOOK_TRADOVATE_CLIENT_ID: text.max(300).optional().register(settingNotes, {
    shape: 'the client id of your application at the brokerage',
    standard: '',
    purpose: 'Connects real accounts, together with the client secret.',
  }),
  FILLBOOK_TRADOVATE_CLIENT_SECRET: text.max(8_192).optional().register(settingNotes, {
    shape: 'the client secret of your application at the brokerage',
    standard: '',
    purpose: 'Needed at one start only: it moves to the keychain or the encrypted file.',
    secret: true,
  }),
  FILLBOOK_TRADOVATE_REDIRECT_URI: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: '`http://127.0.0.1:<port>/oauth/callback`',
    purpose: "The address to which the brokerage redirects; it must be registered there to the letter. `/oauth/callback` of the cloud leads on to the app.",
  }),
  FILLBOOK_TRADOVATE_AUTHORIZE_URL: safeUrl.default('https://trader.tradovate.com/oauth').register(settingNotes, {
    shape: safeShape,
    standard: '`https://trader.tradovate.com/oauth`',
    purpose: "The brokerage's consent page.",
  }),
  FILLBOOK_TRADOVATE_TOKEN_URL: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: '`https://live.tradovateapi.com/auth/oauthtoken`, then the same below `/v1`',
    purpose: 'Exchanges a code for tokens.',
  }),
  FILLBOOK_TRADOVATE_LIVE_URL: safeUrl.default(standardHosts.live).register(settingNotes, {
    shape: safeShape,
    standard: '`https://live.tradovateapi.com/v1`',
    purpose: "The brokerage's host for real-money accounts.",
  }),
  FILLBOOK_TRADOVATE_DEMO_URL: safeUrl.default(standardHosts.demo).register(settingNotes, {
    shape: safeShape,
    standard: '`https://demo.tradovateapi.com/v1`',
    purpose: "The brokerage's host for simulated accounts, including prop-firm evaluations.",
  }),
  FILLBOOK_TRADOVATE_REPORTS_LIVE_URL: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: '`https://rpt-live.tradovateapi.com/v1`; none if the live host is set',
    purpose: "The brokerage's reporting service, which supplies the history of real-money accounts.",
  }),
  FILLBOOK_TRADOVATE_REPORTS_DEMO_URL: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: '`https://rpt-demo.tradovateapi.com/v1`; none if the demo host is set',
    purpose: 'The same for simulated accounts.',
  }),
  FILLBOOK_TRADOVATE_QUOTES_URL: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: '`https://md.tradovateapi.com/v1`; none if an account host is set',
    purpose: "The brokerage's market data, for open positions.",
  }),
  FILLBOOK_TOPSTEPX_URL: safeUrl.default(projectxFirms.topstepx.api).register(settingNotes, {
    shape: safeShape,
    standard: '`https://api.topstepx.com`',
    purpose: 'The host of TopstepX accounts.',
  }),
  FILLBOOK_TOPSTEPX_HUB_URL: safeUrl.optional().register(settingNotes, {
    shape: safeShape,
    standard: '`https://rtc.topstepx.com/hubs/user`; none if the host is set',
    purpose: 'The hub that says what changes in TopstepX accounts.',
  }),
  FILLBOOK_DATABENTO_URL: safeUrl.default('https://hist.databento.com/v0').register(settingNotes, {
    shape: safeShape,
    standard: '`https://hist.databento.com/v0`',
    purpose: "Databento's historical service, for prices by a user's own key.",
  }),
  FILLBOOK_COPIER_CALLS_PER_HOUR: z.union([z.number(), text.transform(Number)]).pipe(z.number().int().min(100).max(100_000)).default(5_000).register(settingNotes, {
    shape: 'a whole number from 100 to 100000',
    standard: '5000',
    purpose: "The most calls per hour that the trade copier makes with one login; the brokerage's own limit is 5,000.",
  }),
})

/** All settings after validation. */
export type SettingValues = z.output<typeof settingsSchema>

/** The name of a setting. */
export type SettingName = keyof SettingValues

/** The names of all settings, in the order of docs/settings.md. */
export const settingNames = Object.keys(settingsSchema.shape) as readonly SettingName[]

/** The description of one setting. */
export const notesOf = (name: SettingName): SettingNotes => {
  const notes = settingNotes.get(settingsSchema.shape[name])
  if (notes === undefined) throw new Error(`${name} has no notes`)
  return notes
}
