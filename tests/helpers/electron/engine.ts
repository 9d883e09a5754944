import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChromium, payloadOf, type Chromium, type Devtools, type Payload } from './devtools.ts'
import { bindingName, isolatedWorldName, pageWorldText, preloadWorldText } from './preload-world.ts'
import type { WorldGiven } from './worlds.ts'

/** A document that is about to be fetched. */
export type Asked = { readonly url: string; readonly frameId: string; readonly redirected: boolean; readonly kind: string; readonly method: string }

/** The events of its page that a window gets. */
export type PageHears = {
  /** Decides about a document or, where everything is looked at, any request; false refuses it. */
  readonly asked: (asked: Asked) => boolean
  /** A page asked for a window of its own, which it never gets. */
  readonly wantsWindow: (url: string, disposition: 'foreground-tab' | 'background-tab' | 'new-window') => void
  readonly event: (method: string, params: Payload) => void
  readonly titled: (title: string) => void
  readonly gone: () => void
}

/** The page inside one window. */
export type EnginePage = { readonly targetId: string; readonly devtools: Devtools; readonly close: () => Promise<void> }

/** The Chromium behind all windows of one process. */
export type Engine = {
  readonly address: string
  readonly devtools: Devtools
  readonly downloads: string
  /** `context` is a store of its own, gone with the process; undefined for the profile's. */
  readonly open: (context: string | undefined, world: Omit<WorldGiven, 'secret'>, hears: PageHears) => Promise<EnginePage>
  readonly newContext: () => Promise<string>
  /** Looks at every request from now on, and not at documents only. */
  readonly lookAtAll: () => Promise<void>
  readonly onDownload: (hear: (begun: { guid: string; url: string; suggestedFilename: string; frameId: string }) => void, progress: (guid: string, state: string) => void) => void
  readonly end: () => Promise<void>
}

const pageEvents = [
  'Page.frameAttached', 'Page.frameNavigated', 'Page.frameDetached', 'Page.navigatedWithinDocument', 'Page.frameRequestedNavigation', 'Page.domContentEventFired', 'Page.loadEventFired', 'Page.lifecycleEvent',
  'Runtime.executionContextCreated', 'Runtime.executionContextDestroyed', 'Runtime.executionContextsCleared', 'Runtime.bindingCalled', 'Runtime.exceptionThrown', 'Runtime.consoleAPICalled', 'Inspector.targetCrashed', 'Network.responseReceivedExtraInfo', 'Debugger.paused', 'Page.javascriptDialogOpening',
]

type Target = { readonly targetId: string; readonly type: string; readonly url: string; readonly title: string; readonly openerId?: string }
type Paused = { readonly requestId: string; readonly request: { url: string; urlFragment?: string; method: string }; readonly frameId: string; readonly redirectedRequestId?: string; readonly resourceType: string }

// Chromium makes none at all for some addresses.
const longestRefusalMs = 500

/** Starts the engine on the profile below `folder`. */
export const startEngine = async (folder: string): Promise<Engine> => {
  const path = process.env['STUB_CHROMIUM']
  if (path === undefined) throw new Error('The stub of Electron wants the path of a Chromium in STUB_CHROMIUM')
  const downloads = join(folder, 'stub-downloads')
  mkdirSync(downloads, { recursive: true })
  const chromium: Chromium = await startChromium(path, join(folder, 'stub-chromium'), process.getuid?.() === 0)
  const browser = chromium.devtools
  const pages = new Map<string, PageHears>()
  const frames = new Map<string, string>()
  const attached = new Map<string, (session: Devtools) => void>()
  const early = new Map<string, Devtools>()
  const refused: (() => void)[] = []
  let creating = 0

  const close = (targetId: string): Promise<void> => browser.send('Target.closeTarget', { targetId }).then(() => undefined, () => undefined)
  browser.on('Target.attachedToTarget', (params) => {
    const { sessionId, targetInfo } = payloadOf<{ sessionId: string; targetInfo: Target }>(params)
    const session = browser.session(sessionId)
    const wanted = attached.get(targetInfo.targetId)
    if (wanted) wanted(session)
    // Whether it is one of ours is known once the call that made it has answered.
    else if (creating > 0 && targetInfo.openerId === undefined) early.set(targetInfo.targetId, session)
    else {
      // It shares its thread with the page that wanted it, which would stand still for as long as this one waits; nothing is fetched for it.
      void session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined)
      void close(targetInfo.targetId).then(() => { for (const tell of refused.splice(0)) tell() })
    }
  })
  browser.on('Target.detachedFromTarget', (params) => {
    const { targetId } = payloadOf<{ targetId: string }>(params)
    pages.get(targetId)?.gone()
    pages.delete(targetId)
  })
  browser.on('Target.targetInfoChanged', (params) => {
    const { targetId, title } = payloadOf<{ targetInfo: Target }>(params).targetInfo
    pages.get(targetId)?.titled(title)
  })
  browser.on('Fetch.requestPaused', (params) => {
    const { requestId, request, frameId, redirectedRequestId, resourceType } = payloadOf<Paused>(params)
    const hears = pages.get(frames.get(frameId) ?? frameId)
    const goesOn = hears?.asked({ url: `${request.url}${request.urlFragment ?? ''}`, frameId, redirected: redirectedRequestId !== undefined, kind: resourceType, method: request.method }) ?? resourceType !== 'Document'
    void browser.send(goesOn ? 'Fetch.continueRequest' : 'Fetch.failRequest', { requestId, ...(goesOn ? {} : { errorReason: 'Aborted' }) }).catch(() => undefined)
  })
  await browser.send('Target.setDiscoverTargets', { discover: true })
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
  await browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: 'page' }] })
  const watchDownloads = (context?: string): Promise<Payload> => browser.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: downloads, eventsEnabled: true, ...(context === undefined ? {} : { browserContextId: context }) })
  await watchDownloads()

  /** Once the refused window is gone again: while it lasts, it hides the page that wanted it. */
  const whenRefused = async (opener: string): Promise<void> => {
    await Promise.race([new Promise<void>((resolve) => refused.push(resolve)), pause(longestRefusalMs)])
    await browser.send('Target.activateTarget', { targetId: opener }).catch(() => undefined)
  }
  const sessionOf = (targetId: string): Promise<Devtools> =>
    new Promise((resolve) => {
      const there = early.get(targetId)
      early.delete(targetId)
      if (there) resolve(there)
      else attached.set(targetId, (session) => { attached.delete(targetId); resolve(session) })
    })

  return {
    address: chromium.address,
    devtools: browser,
    downloads,
    open: async (context, world, hears) => {
      creating += 1
      const { targetId } = payloadOf<{ targetId: string }>(await browser.send('Target.createTarget', { url: 'about:blank', newWindow: true, ...(context === undefined ? {} : { browserContextId: context }) }))
      const session = await sessionOf(targetId)
      creating -= 1
      pages.set(targetId, hears)
      const secret = randomUUID()
      for (const method of pageEvents) session.on(method, (params) => { hears.event(method, params) })
      session.on('Page.frameAttached', (params) => { frames.set(payloadOf<{ frameId: string }>(params).frameId, targetId) })
      const wants = (url: string, disposition: 'foreground-tab' | 'background-tab' | 'new-window'): void => void whenRefused(targetId).then(() => { hears.wantsWindow(url, disposition) })
      session.on('Page.windowOpen', (params) => { wants(payloadOf<{ url: string }>(params).url, 'foreground-tab') })
      session.on('Page.frameRequestedNavigation', (params) => {
        const { url, disposition } = payloadOf<{ url: string; disposition: string }>(params)
        if (disposition === 'newTab') wants(url, 'background-tab')
        if (disposition === 'newWindow') wants(url, 'new-window')
      })
      await Promise.all([
        session.send('Page.enable'),
        session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
        session.send('Network.enable'),
        session.send('Runtime.enable'),
        world.sandboxed ? null : session.send('Debugger.enable'),
        session.send('Runtime.addBinding', { name: bindingName, executionContextName: isolatedWorldName }),
        session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageWorldText(secret) }),
        session.send('Page.addScriptToEvaluateOnNewDocument', { source: preloadWorldText({ ...world, secret }), worldName: isolatedWorldName }),
        session.send('Runtime.runIfWaitingForDebugger'),
      ])
      return { targetId, devtools: session, close: () => close(targetId) }
    },
    newContext: async () => {
      const { browserContextId } = payloadOf<{ browserContextId: string }>(await browser.send('Target.createBrowserContext', { disposeOnDetach: true }))
      await watchDownloads(browserContextId)
      return browserContextId
    },
    lookAtAll: async () => void (await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })),
    onDownload: (hear, progress) => {
      browser.on('Browser.downloadWillBegin', (params) => { hear(payloadOf(params)) })
      browser.on('Browser.downloadProgress', (params) => {
        const { guid, state } = payloadOf<{ guid: string; state: string }>(params)
        progress(guid, state)
      })
    },
    end: chromium.end,
  }
}
