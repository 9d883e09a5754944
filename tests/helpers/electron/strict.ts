import { EventEmitter } from 'node:events'

// What a runtime or a library asks of any object at all.
const askedOfAnything = new Set(['then', 'toJSON', 'nodeType', 'asymmetricMatch', '$$typeof', 'domain', 'callee', 'length'])

const loud = (what: string): object =>
  new Proxy(EventEmitter.prototype, {
    get: (target, name, receiver) => {
      if (typeof name === 'symbol' || name in target || askedOfAnything.has(name)) return Reflect.get(target, name, receiver) as unknown
      throw new Error(`The stub of Electron lacks ${what}.${name}: add it to tests/helpers/electron, with the type of electron.d.ts`)
    },
  })

/** Lets every read of a member that the stub lacks fail by its name, where it would be undefined. */
export const failLoudly = (Stub: { readonly name: string; readonly prototype: object }): void => {
  Object.setPrototypeOf(Stub.prototype, loud(Stub.name))
}

/** An emitter with these members, every other one of which fails by its name. */
export const strictEmitter = <T extends object>(name: string, members: T): T & EventEmitter => {
  const emitter = new EventEmitter()
  Object.setPrototypeOf(emitter, loud(name))
  return Object.defineProperties(emitter, Object.getOwnPropertyDescriptors(members)) as T & EventEmitter
}

type Plain = string | number | boolean | null | undefined | readonly string[]
// Objects of Electron's own are not compared: the stub's have fewer members.
type PlainOnly<Args extends readonly unknown[]> = { [I in keyof Args]: Args[I] extends Plain ? Args[I] : never }
type Yields<Own, Answer> = [Answer] extends [Plain | Promise<Plain>] ? ([Own] extends [Answer] ? true : false) : [Answer] extends [Promise<void>] ? ([Own] extends [Promise<void>] ? true : false) : true
type Fits<Stub, Real> = [Real] extends [(...args: infer Args) => infer Answer]
  ? [Stub] extends [(...args: PlainOnly<Args>) => infer Own] ? Yields<Own, Answer> : false
  : Yields<Stub, Real>

/** The names of a stub's members that Electron does not have, or has in another shape; never, where the stub is true to it. */
export type Drift<Stub, Real> = {
  [K in Exclude<keyof Stub & string, keyof EventEmitter>]: K extends keyof Real ? (Fits<Stub[K], Real[K]> extends true ? never : K) : K
}[Exclude<keyof Stub & string, keyof EventEmitter>]

/** Compiles only where there is no drift. */
export const trueTo = <Drifted extends never>(): Drifted[] => []

/** An event of Electron's that a listener may prevent. */
export type Preventable = { preventDefault: () => void; defaultPrevented: boolean }

/** Such an event, with its other fields. */
export const preventable = <T extends object>(more: T): T & Preventable => {
  const event = { ...more, defaultPrevented: false, preventDefault: () => { event.defaultPrevented = true } }
  return event
}
