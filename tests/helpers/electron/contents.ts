import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { EventEmitter } from 'node:events'
import type { WebContents as Real, WebPreferences } from 'electron'
import { payloadOf, type Payload } from './devtools.ts'
import type { Asked, EnginePage } from './engine.ts'
import { answerInvoke, answerSync, hearSent, type IpcEvent } from './ipc.ts'
import { isolatedWorldName, type AskedAtOnce, type Delivered, type Sent } from './preload-world.ts'
import { showsDark, theEngine } from './running.ts'
import { contextOf, cookiesMayHaveChanged, defaultSession, requestAllowed, session as sessions, settlePermissions, type Session } from './session.ts'
import { failLoudly, preventable, strictEmitter, trueTo, type Drift } from './strict.ts'
import { WebFrameMain, type FrameFacts, type FrameOwner } from './web-frame.ts'
import { crossing } from './worlds.ts'

const { encode } = crossing()

type OpenHandler = (details: { readonly url: string; readonly frameName: string; readonly features: string; readonly disposition: string; readonly referrer: object }) => { action: 'allow' | 'deny' }
type Inner = {
  readonly frames: Map<string, { facts: FrameFacts; frame: WebFrameMain }>
  /** Addresses that the program itself leads to: no page asked for them. */
  readonly begun: Set<string>
  page: Promise<EnginePage>
  main: string
  title: string
  openHandler: OpenHandler | null
  state: 'living' | 'crashed' | 'destroyed'
  loading: { resolve: () => void } | null
}
const inners = new WeakMap<WebContents, Inner>()
const innerOf = (contents: WebContents): Inner => {
  const found = inners.get(contents)
  if (!found) throw new Error('Contents of no window')
  return found
}
const all = new Map<number, WebContents>()
let lastFrame = 0
let lastContents = 0

const withoutHash = (url: string): string => url.replace(/#.*$/, '')
const handledByEngine = new Set(['http:', 'https:', 'file:', 'about:', 'blob:', 'data:', 'javascript:'])

/** The contents of a window: a page of the real Chromium. */
export class WebContents extends EventEmitter {
  readonly id: number
  readonly session: Session
  readonly navigationHistory = historyOf(this)
  readonly hostWebContents: null = null
  constructor(preferences: WebPreferences) {
    super()
    lastContents += 1
    this.id = lastContents
    this.session = preferences.session ? (preferences.session as unknown as Session) : preferences.partition === undefined ? defaultSession : sessions.fromPartition(preferences.partition)
    const inner: Inner = { frames: new Map(), begun: new Set(), page: Promise.reject(new Error('not yet')), main: '', title: '', openHandler: null, state: 'living', loading: null }
    inner.page.catch(() => undefined)
    inners.set(this, inner)
    all.set(this.id, this)
    inner.page = this.#open(preferences)
  }

  async #open({ preload = '', sandbox = true, additionalArguments = [] }: WebPreferences): Promise<EnginePage> {
    const inner = innerOf(this)
    const page = await theEngine().open(
      await contextOf(this.session),
      {
        preload: preload === '' ? '' : readFileSync(preload, 'utf8'),
        preloadPath: preload,
        argv: [process.execPath, '--type=renderer', ...additionalArguments],
        sandboxed: sandbox,
        versions: { electron: process.versions['electron'] ?? '', chrome: process.versions['chrome'] ?? '', node: process.versions.node },
        platform: process.platform,
        env: {},
      },
      {
        asked: (asked) => this.#asked(asked),
        wantsWindow: (url, disposition) => { inner.openHandler?.({ url, disposition, frameName: '', features: '', referrer: { url: '', policy: 'default' } }) },
        event: (method, params) => { this.#hear(method, params) },
        titled: (title) => { this.#titled(title) },
        gone: () => { if (inner.state !== 'destroyed') destroyContents(this) },
      },
    )
    inner.main = page.targetId
    this.#frame(page.targetId, null)
    await showLook(page)
    return page
  }

  #frame(id: string, parent: string | null): FrameFacts {
    const { frames } = innerOf(this)
    const there = frames.get(id)
    if (there) return there.facts
    lastFrame += 1
    const facts: FrameFacts = { id, parent, number: lastFrame, url: '', origin: frames.get(parent ?? '')?.facts.origin ?? 'null', name: '', world: null, detached: false }
    frames.set(id, { facts, frame: new WebFrameMain(facts, ownerOf(this)) })
    return facts
  }

  #titled(title: string): void {
    const inner = innerOf(this)
    if (title === inner.title || inner.state === 'destroyed') return
    inner.title = title
    this.emit('page-title-updated', preventable({}), title, true)
  }

  #asked({ url, frameId, redirected, kind, method }: Asked): boolean {
    const inner = innerOf(this)
    if (!requestAllowed(this.session, { url, kind, method }, this)) return false
    if (kind !== 'Document') return true
    const isMainFrame = frameId === inner.main
    const frame = inner.frames.get(frameId)?.frame ?? null
    const event = preventable({ url, isMainFrame, isSameDocument: false, frame, initiator: frame })
    if (redirected) this.emit('will-redirect', event, url, false, isMainFrame)
    else if (!inner.begun.delete(withoutHash(url)) || !isMainFrame) {
      this.emit('will-frame-navigate', event)
      if (isMainFrame) this.emit('will-navigate', event, url)
    }
    if (event.defaultPrevented) return false
    this.emit(redirected ? 'did-redirect-navigation' : 'did-start-navigation', { ...event }, url, false, isMainFrame)
    if (isMainFrame) void settlePermissions(this.session, url, this, frame)
    return true
  }

  #hear(method: string, params: Payload): void {
    const inner = innerOf(this)
    if (inner.state === 'destroyed') return
    switch (method) {
      case 'Page.frameAttached': {
        const { frameId, parentFrameId } = payloadOf<{ frameId: string; parentFrameId: string }>(params)
        this.#frame(frameId, parentFrameId)
        return
      }
      case 'Page.frameNavigated': {
        const { id, parentId = null, url, urlFragment = '', name = '', securityOrigin } = payloadOf<{ frame: { id: string; parentId?: string; url: string; urlFragment?: string; name?: string; securityOrigin: string } }>(params).frame
        // The protocol reports an opaque origin as `://`, and an inherited one too.
        Object.assign(this.#frame(id, parentId), { url: `${url}${urlFragment}`, name, origin: securityOrigin !== '://' ? securityOrigin : url.startsWith('about:') ? (inner.frames.get(parentId ?? '')?.facts.origin ?? 'null') : 'null' })
        inner.state = 'living'
        if (id === inner.main) this.emit('did-navigate', {}, url, 200, 'OK')
        this.emit('did-frame-navigate', {}, url, 200, 'OK', id === inner.main, 1, 1)
        return
      }
      case 'Page.frameDetached': {
        const { frameId } = payloadOf<{ frameId: string }>(params)
        const there = inner.frames.get(frameId)
        if (there) there.facts.detached = true
        inner.frames.delete(frameId)
        return
      }
      case 'Page.navigatedWithinDocument': {
        const { frameId, url } = payloadOf<{ frameId: string; url: string }>(params)
        this.#frame(frameId, null).url = url
        this.emit('did-navigate-in-page', {}, url, frameId === inner.main, 1, 1)
        return
      }
      case 'Page.frameRequestedNavigation': {
        const { frameId, url, disposition } = payloadOf<{ frameId: string; url: string; disposition: string }>(params)
        // The engine asks about its own fetches; a URL that another program opens causes no fetch.
        if (disposition !== 'currentTab' || frameId !== inner.main || handledByEngine.has(URL.parse(url)?.protocol ?? '')) return
        const { frame } = inner.frames.get(frameId) ?? { frame: null }
        this.emit('will-navigate', preventable({ url, isMainFrame: true, isSameDocument: false, frame, initiator: frame }), url)
        return
      }
      case 'Page.domContentEventFired': this.emit('dom-ready', {}); return
      case 'Page.loadEventFired':
        this.emit('did-stop-loading')
        this.emit('did-finish-load', {})
        inner.loading?.resolve()
        return
      case 'Runtime.executionContextCreated': {
        const { id, name, auxData } = payloadOf<{ context: { id: number; name: string; auxData: { frameId: string } } }>(params).context
        const facts = inner.frames.get(auxData.frameId)?.facts
        if (name === isolatedWorldName && facts) facts.world = id
        return
      }
      case 'Runtime.bindingCalled': {
        const { payload, executionContextId } = payloadOf<{ payload: string; executionContextId: number }>(params)
        void this.#sent(JSON.parse(payload) as Sent, executionContextId)
        return
      }
      // The window may be closed before its page continues.
      case 'Debugger.paused': this.#paused(payloadOf(params)).catch(() => undefined); return
      case 'Network.responseReceivedExtraInfo': {
        const { headers } = payloadOf<{ headers: Record<string, string> }>(params)
        if (Object.keys(headers).some((name) => name.toLowerCase() === 'set-cookie')) void cookiesMayHaveChanged(this.session).catch(() => undefined)
        return
      }
      case 'Page.javascriptDialogOpening': {
        if (params['type'] !== 'beforeunload') return
        const event = preventable({})
        this.emit('will-prevent-unload', event)
        // Electron shows no dialog: the page unloads if the listener prevents the default, and stays otherwise.
        void inner.page.then(({ devtools }) => devtools.send('Page.handleJavaScriptDialog', { accept: event.defaultPrevented })).catch(() => undefined)
        return
      }
      case 'Inspector.targetCrashed':
        inner.state = 'crashed'
        this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
        return
    }
  }

  #event(world: number): IpcEvent {
    const { frames } = innerOf(this)
    const { facts, frame } = [...frames.values()].find((one) => one.facts.world === world) ?? { facts: null, frame: null }
    return { type: 'frame', sender: this, senderFrame: frame, processId: 1, frameId: facts?.number ?? 0, frameTreeNodeId: facts?.number ?? 0, returnValue: undefined, reply: (channel, ...args) => { frame?.send(channel, ...args) } }
  }

  async #sent(sent: Sent, world: number): Promise<void> {
    const event = this.#event(world)
    if (sent.kind === 'send') { hearSent(event, sent.channel, sent.args); return }
    const delivered: Delivered = await answerInvoke(event, sent.channel, sent.args).then((value) => ({ id: sent.id, value }), (error: Error) => ({ id: sent.id, error: error.message }))
    await deliverTo(this, world, delivered)
  }

  async #paused({ callFrames: [frame] }: { readonly callFrames: readonly { readonly callFrameId: string; readonly functionName: string }[] }): Promise<void> {
    const { devtools } = await innerOf(this).page
    const { callFrameId } = frame ?? { callFrameId: '' }
    const evaluate = (expression: string): Promise<Payload> => devtools.send('Debugger.evaluateOnCallFrame', { callFrameId, expression, returnByValue: true })
    if (frame?.functionName === 'askAtOnce') {
      const asked = JSON.parse(payloadOf<{ result: { value: string } }>(await evaluate('asked')).result.value) as AskedAtOnce
      const { result } = payloadOf<{ result: { value: boolean } }>(await evaluate('window === window.top'))
      await evaluate(`reply.answer = ${JSON.stringify(this.#atOnce(asked, result.value))}`)
    }
    await devtools.send('Debugger.resume')
  }

  #atOnce(asked: AskedAtOnce, fromTop: boolean): string {
    const { frames, main } = innerOf(this)
    try {
      if (asked.kind === 'sync') return JSON.stringify({ value: answerSync(this.#event(fromTop ? (frames.get(main)?.facts.world ?? 0) : 0), asked.channel, asked.args) })
      const path = createRequire(asked.from).resolve(asked.name)
      return JSON.stringify({ value: encode({ path, source: readFileSync(path, 'utf8') }) })
    } catch (error) {
      return JSON.stringify({ error: String(error) })
    }
  }

  get mainFrame(): WebFrameMain {
    const { frames, main } = innerOf(this)
    return frames.get(main)?.frame ?? new WebFrameMain({ id: '', parent: null, number: 0, url: '', origin: 'null', name: '', world: null, detached: false }, ownerOf(this))
  }
  get focusedFrame(): WebFrameMain { return this.mainFrame }
  getURL(): string { return innerOf(this).main === '' ? '' : this.mainFrame.url }
  getTitle(): string { return innerOf(this).title }
  getType(): 'window' { return 'window' }
  getOSProcessId(): number { return process.pid }
  getProcessId(): number { return 1 }
  isDestroyed(): boolean { return innerOf(this).state === 'destroyed' }
  isCrashed(): boolean { return innerOf(this).state === 'crashed' }
  isLoading(): boolean { return innerOf(this).loading !== null }
  isLoadingMainFrame(): boolean { return this.isLoading() }
  isFocused(): boolean { return true }
  focus(): void { /* One page at a time is looked at. */ }
  isDevToolsOpened(): boolean { return false }
  openDevTools(): void { /* There is no screen. */ }
  setWindowOpenHandler(handler: OpenHandler): void { innerOf(this).openHandler = handler }
  setIgnoreMenuShortcuts(): void { /* No key reaches a menu here. */ }
  setZoomLevel(level: number): void { void this.executeJavaScript(`document.documentElement.style.zoom = ${String(1.2 ** level)}`) }
  setVisualZoomLevelLimits(): Promise<void> { return Promise.resolve() }
  setBackgroundThrottling(): void { /* Never throttled. */ }
  setWebRTCIPHandlingPolicy(): void { /* No page speaks to peers. */ }
  replaceMisspelling(word: string): void { void this.insertText(word) }
  copy(): void { void this.executeJavaScript("document.execCommand('copy')") }
  cut(): void { void this.executeJavaScript("document.execCommand('cut')") }
  selectAll(): void { void this.executeJavaScript("document.execCommand('selectAll')") }
  async insertText(text: string): Promise<void> { await (await innerOf(this).page).devtools.send('Input.insertText', { text }) }

  async loadURL(url: string): Promise<void> {
    const inner = innerOf(this)
    const { devtools } = await inner.page
    const { href } = new URL(url)
    inner.begun.add(withoutHash(href))
    const loaded = new Promise<void>((resolve) => { inner.loading = { resolve } })
    const { loaderId, errorText } = payloadOf<{ loaderId?: string; errorText?: string }>(await devtools.send('Page.navigate', { url: href }))
    if (errorText !== undefined) {
      inner.loading = null
      const code = errorText.replace('net::', '')
      this.emit('did-fail-load', {}, -3, code, url, true, 1, 1)
      throw Object.assign(new Error(`${code} (-3) loading '${url}'`), { code, errno: -3, url })
    }
    // A place in the same document is reached at once.
    if (loaderId !== undefined) await loaded
    inner.loading = null
  }
  loadFile(path: string): Promise<void> { return this.loadURL(new URL(path, 'file:///').href) }
  reload(): void {
    innerOf(this).begun.add(withoutHash(this.getURL()))
    void innerOf(this).page.then(({ devtools }) => (this.isCrashed() ? devtools.send('Page.navigate', { url: this.getURL() }) : devtools.send('Page.reload'))).catch(() => undefined)
  }
  reloadIgnoringCache(): void { this.reload() }
  stop(): void { void innerOf(this).page.then(({ devtools }) => devtools.send('Page.stopLoading')).catch(() => undefined) }
  close(): void { void innerOf(this).page.then((page) => page.close()) }
  forcefullyCrashRenderer(): void { void innerOf(this).page.then(({ devtools }) => devtools.send('Page.crash')).catch(() => undefined) }
  async executeJavaScript(code: string): Promise<unknown> { return evaluateIn(this, code) }
  send(channel: string, ...args: unknown[]): void { this.mainFrame.send(channel, ...args) }
  sendToFrame(_frame: number | [number, number], channel: string, ...args: unknown[]): void { this.mainFrame.send(channel, ...args) }
}
failLoudly(WebContents)
trueTo<Drift<Omit<WebContents, 'session' | 'navigationHistory'>, Real>>()

const ownerOf = (contents: WebContents): FrameOwner => ({
  frameOf: (id) => innerOf(contents).frames.get(id)?.frame ?? null,
  childrenOf: (id) => [...innerOf(contents).frames.values()].filter(({ facts }) => facts.parent === id).map(({ frame }) => frame),
  deliver: ({ world }, delivered) => { if (world !== null) void deliverTo(contents, world, delivered) },
  evaluate: (_facts, code) => evaluateIn(contents, code),
})

const deliverTo = async (contents: WebContents, world: number, delivered: Delivered): Promise<void> => {
  const { devtools } = await innerOf(contents).page
  // A page that was left meanwhile gets no more messages.
  await devtools.send('Runtime.evaluate', { contextId: world, expression: `__fromElectronMain(${JSON.stringify(delivered)})` }).catch(() => undefined)
}

const evaluateIn = async (contents: WebContents, code: string): Promise<unknown> => {
  const { devtools } = await innerOf(contents).page
  const { result, exceptionDetails } = payloadOf<{ result: { value?: unknown }; exceptionDetails?: { text: string; exception?: { description?: string } } }>(await devtools.send('Runtime.evaluate', { expression: code, awaitPromise: true, returnByValue: true, userGesture: true }))
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

const showLook = ({ devtools }: EnginePage): Promise<unknown> => devtools.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: showsDark() ? 'dark' : 'light' }] })

function historyOf(contents: WebContents) {
  const entries = async () => {
    const { devtools } = await innerOf(contents).page
    return { devtools, ...payloadOf<{ currentIndex: number; entries: { id: number; url: string }[] }>(await devtools.send('Page.getNavigationHistory')) }
  }
  // Electron answers at once: it is looked up after each navigation.
  let known = { currentIndex: 0, entries: [] as { id: number; url: string }[] }
  const look = (): void => void entries().then((now) => { known = now }, () => undefined)
  contents.on('did-navigate', look).on('did-navigate-in-page', look)
  const go = (by: number) => async (): Promise<void> => {
    const now = await entries()
    const entry = now.entries[now.currentIndex + by]
    if (entry === undefined) return
    innerOf(contents).begun.add(withoutHash(entry.url))
    await now.devtools.send('Page.navigateToHistoryEntry', { entryId: entry.id })
  }
  const [back, forward] = [go(-1), go(1)]
  const members = {
    canGoBack: () => known.currentIndex > 0,
    canGoForward: () => known.currentIndex < known.entries.length - 1,
    goBack: (): void => void back().catch(() => undefined),
    goForward: (): void => void forward().catch(() => undefined),
    clear: (): void => void innerOf(contents).page.then(({ devtools }) => devtools.send('Page.resetNavigationHistory')).then(look, () => undefined),
    getActiveIndex: () => known.currentIndex,
    length: () => known.entries.length,
  }
  trueTo<Drift<typeof members, Real['navigationHistory']>>()
  return strictEmitter('navigationHistory', members)
}

/** Closes the page behind contents, and emits that they are destroyed. */
export const destroyContents = (contents: WebContents): void => {
  const inner = innerOf(contents)
  if (inner.state === 'destroyed') return
  inner.state = 'destroyed'
  all.delete(contents.id)
  void inner.page.then((page) => page.close(), () => undefined)
  contents.emit('destroyed')
}

/** The page behind contents, once it is there. */
export const pageOf = (contents: WebContents): Promise<EnginePage> => innerOf(contents).page

/** The contents in which the frame is. */
export const contentsOfFrame = (frameId: string): WebContents | null => [...all.values()].find((contents) => innerOf(contents).frames.has(frameId)) ?? null

/** Lets all pages follow the looks of now. */
export const lookAnew = (): void => {
  for (const contents of all.values()) void pageOf(contents).then(showLook).catch(() => undefined)
}

/** Electron's `webContents`. */
export const webContents = strictEmitter('webContents', {
  getAllWebContents: (): WebContents[] => [...all.values()],
  fromId: (id: number): WebContents | undefined => all.get(id),
  getFocusedWebContents: (): WebContents | null => [...all.values()][0] ?? null,
})
