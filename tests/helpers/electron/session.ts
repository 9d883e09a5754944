import { EventEmitter } from 'node:events'
import { basename, join } from 'node:path'
import { copyFileSync } from 'node:fs'
import type { Cookie, Session as Real } from 'electron'
import type { Payload } from './devtools.ts'
import { payloadOf } from './devtools.ts'
import type { Engine } from './engine.ts'
import { theEngine } from './running.ts'
import { failLoudly, preventable, strictEmitter, trueTo, type Drift } from './strict.ts'

type PermissionRequest = (contents: unknown, permission: string, answer: (granted: boolean) => void, details: object) => void
type PermissionCheck = (contents: unknown, permission: string, origin: string, details: object) => boolean
type BeforeRequest = (details: { readonly id: number; readonly url: string; readonly method: string; readonly resourceType: string; readonly webContents: unknown }, answer: (response: { cancel?: boolean }) => void) => void

// Electron's names of what a page may ask for, and the protocol's.
const permissions = [['geolocation', 'geolocation'], ['notifications', 'notifications'], ['media', 'camera'], ['media', 'microphone'], ['clipboard-read', 'clipboard-read'], ['midi', 'midi'], ['idle-detection', 'idle-detection']] as const
const resourceTypes: Record<string, string> = { Document: 'mainFrame', Stylesheet: 'stylesheet', Script: 'script', Image: 'image', Font: 'font', XHR: 'xhr', Fetch: 'xhr', Media: 'media', WebSocket: 'webSocket', Ping: 'ping' }

type Inner = { context: Promise<string | undefined>; permissionRequest: PermissionRequest | null; permissionCheck: PermissionCheck | null; beforeRequest: BeforeRequest | null; cookies: readonly Cookie[]; asked: Set<string>; languages: string[] }
const inners = new WeakMap<Session, Inner>()
const innerOf = (session: Session): Inner => {
  const found = inners.get(session)
  if (!found) throw new Error('A session that nobody made')
  return found
}

type RawCookie = { name: string; value: string; domain: string; path: string; secure: boolean; httpOnly: boolean; session: boolean; expires: number; sameSite?: string }
const cookieOf = ({ name, value, domain, path, secure, httpOnly, session, expires, sameSite }: RawCookie): Cookie => ({
  name, value, domain, path, secure, httpOnly, session, hostOnly: !domain.startsWith('.'),
  ...(session ? {} : { expirationDate: expires }),
  sameSite: sameSite === 'Strict' ? 'strict' : sameSite === 'Lax' ? 'lax' : sameSite === 'None' ? 'no_restriction' : 'unspecified',
})
const isSent = (cookie: Cookie, { url, name, domain }: { readonly url?: string; readonly name?: string; readonly domain?: string }): boolean =>
  (name === undefined || cookie.name === name) && (domain === undefined || cookie.domain === domain) && (url === undefined || cookie.domain === new URL(url).hostname)

const rawCookies = async (session: Session): Promise<readonly Cookie[]> => {
  const context = await innerOf(session).context
  const { cookies } = payloadOf<{ cookies: RawCookie[] }>(await theEngine().devtools.send('Storage.getCookies', context === undefined ? {} : { browserContextId: context }))
  return cookies.map(cookieOf)
}

const cookiesOf = (session: Session) => {
  const members = {
    get: async (filter: { readonly url?: string; readonly name?: string; readonly domain?: string }): Promise<Cookie[]> => (await rawCookies(session)).filter((cookie) => isSent(cookie, filter)),
    flushStore: (): Promise<void> => Promise.resolve(),
  }
  trueTo<Drift<typeof members, Real['cookies']>>()
  return strictEmitter('session.cookies', members)
}

const webRequestOf = (session: Session) => {
  const members = {
    onBeforeRequest: (...given: unknown[]): void => {
      innerOf(session).beforeRequest = (given.at(-1) as BeforeRequest | null) ?? null
      void theEngine().lookAtAll()
    },
  }
  trueTo<Drift<typeof members, Real['webRequest']>>()
  return strictEmitter('session.webRequest', members)
}

/** A store of cookies and permissions: the real browser's, as a session of Electron's. */
export class Session extends EventEmitter {
  readonly cookies = cookiesOf(this)
  readonly webRequest = webRequestOf(this)
  readonly availableSpellCheckerLanguages: string[] = ['en-US', 'en-GB', 'de']
  constructor(context: () => Promise<string | undefined>) {
    super()
    let made: Promise<string | undefined> | null = null
    inners.set(this, { get context() { return (made ??= context()) }, permissionRequest: null, permissionCheck: null, beforeRequest: null, cookies: [], asked: new Set(), languages: ['en-US'] })
  }
  setPermissionRequestHandler(handler: PermissionRequest | null): void { innerOf(this).permissionRequest = handler }
  setPermissionCheckHandler(handler: PermissionCheck | null): void { innerOf(this).permissionCheck = handler }
  setDevicePermissionHandler(): void { /* No page of this Chromium sees a device. */ }
  setDisplayMediaRequestHandler(): void { /* Without one, as with one that refuses, there is no screen to share. */ }
  setBluetoothPairingHandler(): void { /* As above. */ }
  setUSBProtectedClassesHandler(): void { /* As above. */ }
  setCertificateVerifyProc(): void { /* Chromium's own check applies. */ }
  setSpellCheckerLanguages(languages: string[]): void { innerOf(this).languages = languages }
  getSpellCheckerLanguages(): string[] { return innerOf(this).languages }
  setSpellCheckerEnabled(): void { /* There is no dictionary to switch off. */ }
  addWordToSpellCheckerDictionary(): boolean { return true }
  setDownloadPath(): void { /* Where a file goes is decided by each download. */ }
  isPersistent(): boolean { return this === defaultSession }
  clearStorageData(): Promise<void> { return Promise.resolve() }
  clearCache(): Promise<void> { return Promise.resolve() }
  flushStorageData(): void { /* Chromium writes it when it ends. */ }
}
failLoudly(Session)
trueTo<Drift<Session, Omit<Real, 'cookies' | 'webRequest'> & Pick<Session, 'cookies' | 'webRequest'>>>()

/** The session of the profile. */
export const defaultSession = new Session(() => Promise.resolve(undefined))
const partitions = new Map<string, Session>()

const members = {
  get defaultSession() { return defaultSession },
  fromPartition: (partition: string): Session => {
    const there = partition === '' ? defaultSession : partitions.get(partition)
    if (there) return there
    const made = new Session(() => theEngine().newContext())
    partitions.set(partition, made)
    return made
  },
}
/** Electron's `session`. */
export const session = strictEmitter('session', members)

/** The browser context behind a session; undefined for the profile's. */
export const contextOf = (one: Session): Promise<string | undefined> => innerOf(one).context

/** Asks a session's own listener whether a request may be made. */
export const requestAllowed = (one: Session, asked: { readonly url: string; readonly method: string; readonly kind: string }, contents: unknown): boolean => {
  const { beforeRequest } = innerOf(one)
  let allowed = true
  beforeRequest?.({ id: 1, url: asked.url, method: asked.method, resourceType: resourceTypes[asked.kind] ?? 'other', webContents: contents }, ({ cancel }) => { allowed = cancel !== true })
  return allowed
}

/** Asks the session's handlers about every permission for this origin, and sets the answers in the browser. */
export const settlePermissions = async (one: Session, url: string, contents: unknown, frame: unknown): Promise<void> => {
  const inner = innerOf(one)
  const { origin } = URL.parse(url) ?? { origin: 'null' }
  if (origin === 'null' || inner.asked.has(origin)) return
  inner.asked.add(origin)
  const context = await inner.context
  await Promise.all(
    permissions.map(async ([permission, name]) => {
      const details = { requestingUrl: url, isMainFrame: true, requestingOrigin: origin, frame }
      const checked = inner.permissionCheck?.(contents, permission, origin, details) ?? true
      const granted = checked && (await new Promise<boolean>((answer) => { if (inner.permissionRequest) inner.permissionRequest(contents, permission, answer, details); else answer(true) }))
      await theEngine().devtools.send('Browser.setPermission', { permission: { name }, setting: granted ? 'granted' : 'denied', origin, ...(context === undefined ? {} : { browserContextId: context }) }).catch(() => undefined)
    }),
  )
}

/** Tells the listeners of a session which cookies changed since it was last looked at. */
export const cookiesMayHaveChanged = async (one: Session): Promise<void> => {
  const inner = innerOf(one)
  const now = await rawCookies(one)
  const key = ({ name, domain, path }: Cookie): string => `${name} ${domain ?? ''} ${path ?? ''}`
  const before = new Map(inner.cookies.map((cookie) => [key(cookie), cookie]))
  inner.cookies = now
  for (const cookie of now) {
    const old = before.get(key(cookie))
    before.delete(key(cookie))
    if (old?.value !== cookie.value) one.cookies.emit('changed', {}, cookie, old === undefined ? 'inserted' : 'overwrite', false)
  }
  for (const cookie of before.values()) one.cookies.emit('changed', {}, cookie, 'explicit', true)
}

/** Leads downloads of the browser to the session of the page that began them. */
export const watchDownloads = (engine: Engine, contentsOf: (frameId: string) => { readonly session: Session } | null): void => {
  const items = new Map<string, (state: string) => void>()
  engine.onDownload(({ guid, url, suggestedFilename, frameId }) => {
    const contents = contentsOf(frameId)
    let savePath = ''
    let state: 'progressing' | 'completed' | 'cancelled' | 'interrupted' = 'progressing'
    const cancel = (): void => {
      state = 'cancelled'
      void engine.devtools.send('Browser.cancelDownload', { guid } satisfies Payload).catch(() => undefined)
    }
    const item = strictEmitter('DownloadItem', {
      getURL: () => url,
      getURLChain: () => [url],
      getFilename: () => suggestedFilename,
      getMimeType: () => '',
      getTotalBytes: () => 0,
      getReceivedBytes: () => 0,
      getState: () => state,
      hasUserGesture: () => true,
      setSavePath: (path: string) => { savePath = path },
      getSavePath: () => savePath,
      setSaveDialogOptions: (options: { defaultPath?: string }) => { savePath = options.defaultPath ?? savePath },
      getSaveDialogOptions: () => ({ defaultPath: savePath }),
      cancel,
    })
    items.set(guid, (reported) => {
      if (reported === 'inProgress' || state === 'cancelled') return
      state = reported === 'completed' ? 'completed' : 'cancelled'
      if (state === 'completed' && savePath !== '') copyFileSync(join(engine.downloads, guid), savePath)
      item.emit('done', {}, state)
    })
    const event = preventable({})
    contents?.session.emit('will-download', event, item, contents)
    if (event.defaultPrevented || contents === null) cancel()
    else if (savePath === '') savePath = join(engine.downloads, basename(suggestedFilename))
  }, (guid, state) => { items.get(guid)?.(state) })
}
