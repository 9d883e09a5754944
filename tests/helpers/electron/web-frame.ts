import type { Delivered } from './preload-world.ts'
import { failLoudly, trueTo, type Drift } from './strict.ts'
import { EventEmitter } from 'node:events'
import type { WebFrameMain as Real } from 'electron'
import { crossing } from './worlds.ts'

const { encode } = crossing()

/** What a page knows of one of its frames. */
export type FrameFacts = { readonly id: string; readonly parent: string | null; readonly number: number; url: string; origin: string; name: string; world: number | null; detached: boolean }

/** What frames ask of the page that they are in. */
export type FrameOwner = {
  readonly frameOf: (id: string) => WebFrameMain | null
  readonly childrenOf: (id: string) => WebFrameMain[]
  readonly deliver: (frame: FrameFacts, delivered: Delivered) => void
  readonly evaluate: (frame: FrameFacts, code: string) => Promise<unknown>
}

const kept = new WeakMap<WebFrameMain, { facts: FrameFacts; owner: FrameOwner }>()
const of = (frame: WebFrameMain) => {
  const found = kept.get(frame)
  if (!found) throw new Error('A frame of no page')
  return found
}

/** A frame of a real page, as the main process sees it. */
export class WebFrameMain extends EventEmitter {
  readonly processId: number = 1
  readonly visibilityState: string = 'visible'
  constructor(facts: FrameFacts, owner: FrameOwner) {
    super()
    kept.set(this, { facts, owner })
  }
  get url(): string { return of(this).facts.url }
  get origin(): string { return of(this).facts.origin }
  get name(): string { return of(this).facts.name }
  get detached(): boolean { return of(this).facts.detached }
  get parent(): WebFrameMain | null { const { facts, owner } = of(this); return facts.parent === null ? null : owner.frameOf(facts.parent) }
  get top(): WebFrameMain | null { const { parent } = this; return parent === null ? this : parent.top }
  get frames(): WebFrameMain[] { const { facts, owner } = of(this); return owner.childrenOf(facts.id) }
  get framesInSubtree(): WebFrameMain[] { return [this, ...this.frames.flatMap((frame) => frame.framesInSubtree)] }
  get frameTreeNodeId(): number { return of(this).facts.number }
  get routingId(): number { return of(this).facts.number }
  get osProcessId(): number { return process.pid }
  get frameToken(): string { return of(this).facts.id }
  isDestroyed(): boolean { return of(this).facts.detached }
  reload(): boolean { void this.executeJavaScript('location.reload()'); return true }
  executeJavaScript(code: string): Promise<unknown> { const { facts, owner } = of(this); return owner.evaluate(facts, code) }
  send(channel: string, ...args: unknown[]): void { const { facts, owner } = of(this); owner.deliver(facts, { channel, args: encode(args) }) }
}
failLoudly(WebFrameMain)
trueTo<Drift<WebFrameMain, Real>>()
