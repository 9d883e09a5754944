/** How values cross between worlds and processes: JSON, with marks for what JSON has no word for. */
export type Crossing = { readonly encode: (value: unknown) => string; readonly decode: (text: string) => unknown }

/** What a page's worlds receive at the start of each document. */
export type WorldGiven = {
  /** The name of the events by which the two worlds of a page speak; no page knows it. */
  readonly secret: string
  readonly preload: string
  readonly preloadPath: string
  readonly argv: readonly string[]
  readonly sandboxed: boolean
  readonly versions: Record<string, string>
  readonly platform: string
  readonly env: Record<string, string>
}

/** Self-contained: it also runs inside pages. */
export const crossing = (): Crossing => {
  const mark = '\u0001'
  return {
    encode: (value) =>
      JSON.stringify(value === undefined ? { [mark]: 'undefined' } : value, (_key, part: unknown) => {
        if (part === undefined) return { [mark]: 'undefined' }
        if (typeof part === 'function' || typeof part === 'symbol') throw new Error('An object could not be cloned.')
        if (part instanceof Error) return { [mark]: 'error', name: part.name, message: part.message, stack: part.stack }
        if (ArrayBuffer.isView(part)) return { [mark]: 'bytes', bytes: Array.from(new Uint8Array(part.buffer, part.byteOffset, part.byteLength)) }
        return part
      }),
    decode: (text) =>
      JSON.parse(text, (_key, part: unknown) => {
        const kind = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[mark] : undefined
        if (kind === 'undefined') return undefined
        if (kind === 'error') return Object.assign(new Error((part as Error).message), { name: (part as Error).name, stack: (part as Error).stack })
        if (kind === 'bytes') return new Uint8Array((part as { bytes: number[] }).bytes)
        return part
      }) as unknown,
  }
}

/**
 * Runs in both worlds of a page, with the same secret: copies values from one to the other and leaves functions and
 * promises where they are, behind proxies, as Electron's context bridge does. Events on the window reach the listeners
 * of the other world at once, so that a call gives its answer at once too.
 */
export const worldBridge = (secret: string, side: 'main' | 'isolated') => {
  const other = side === 'main' ? 'isolated' : 'main'
  const { dispatchEvent, addEventListener, CustomEvent: Event_, JSON: json, Object: object, Promise: Promise_ } = window
  const functions: ((...args: unknown[]) => unknown)[] = []
  const known = new Map<unknown, number>()
  const promises: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = []
  type Packed = ['value', unknown] | ['undefined'] | ['function', number] | ['promise', number] | ['error', string] | ['array', Packed[]] | ['object', [string, Packed][]]
  type Asked = { readonly call: number; readonly args: Packed[] } | { readonly settle: number; readonly failed: boolean; readonly value: Packed } | { readonly expose: string; readonly api: Packed }
  let answer: { value: Packed } | { failed: string } | null = null

  const send = (asked: Asked): unknown => {
    answer = null
    dispatchEvent.call(window, new Event_(`${secret}-${other}`, { detail: json.stringify(asked) }))
    const got = answer as { value: Packed } | { failed: string } | null
    answer = null
    if (got === null) throw new Error('The other world is not there')
    if ('failed' in got) throw new Error(got.failed)
    return unpack(got.value)
  }
  const keep = (value: (...args: unknown[]) => unknown): number => {
    const found = known.get(value)
    if (found !== undefined) return found
    functions.push(value)
    known.set(value, functions.length - 1)
    return functions.length - 1
  }
  let lastPromise = 0
  const pack = (value: unknown): Packed => {
    if (value === undefined) return ['undefined']
    if (typeof value === 'function') return ['function', keep(value as (...args: unknown[]) => unknown)]
    if (value instanceof Promise_) {
      const id = (lastPromise += 1)
      value.then((result: unknown) => send({ settle: id, failed: false, value: pack(result) }), (error: unknown) => send({ settle: id, failed: true, value: pack(error) }))
      return ['promise', id]
    }
    if (value instanceof Error) return ['error', value.message]
    if (Array.isArray(value)) return ['array', value.map(pack)]
    if (typeof value === 'object' && value !== null) return ['object', object.entries(value).map(([key, part]) => [key, pack(part)])]
    if (typeof value === 'symbol') throw new Error('An object could not be cloned.')
    return ['value', value]
  }
  const unpack = (packed: Packed): unknown => {
    switch (packed[0]) {
      case 'undefined': return undefined
      case 'value': return packed[1]
      case 'error': return new Error(packed[1])
      case 'array': return packed[1].map(unpack)
      case 'object': return object.fromEntries(packed[1].map(([key, part]) => [key, unpack(part)]))
      case 'function': {
        const [, call] = packed
        return (...args: unknown[]) => send({ call, args: args.map(pack) })
      }
      case 'promise': {
        const [, id] = packed
        return new Promise_((resolve, reject) => { promises[id] = { resolve, reject } })
      }
    }
  }
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' && typeof value !== 'function') return
    if (value === null || object.isFrozen(value)) return
    object.freeze(value)
    for (const name of object.getOwnPropertyNames(value)) freeze((value as Record<string, unknown>)[name])
  }
  const perform = (asked: Asked): unknown => {
    if ('call' in asked) return functions[asked.call]?.(...asked.args.map(unpack))
    if ('settle' in asked) {
      promises[asked.settle]?.[asked.failed ? 'reject' : 'resolve'](unpack(asked.value))
      return undefined
    }
    if (side !== 'main') throw new Error('Only the main world is offered anything')
    if (asked.expose in window) throw new Error('Cannot bind an API on top of an existing property on the window object')
    const api = unpack(asked.api)
    freeze(api)
    object.defineProperty(window, asked.expose, { value: api, enumerable: true, configurable: false, writable: false })
    return undefined
  }
  addEventListener.call(window, `${secret}-${side}`, (event) => {
    let answer: { value: Packed } | { failed: string }
    try {
      answer = { value: pack(perform(json.parse((event as CustomEvent<string>).detail) as Asked)) }
    } catch (error) {
      answer = { failed: error instanceof Error ? error.message : String(error) }
    }
    dispatchEvent.call(window, new Event_(`${secret}-${other}-answer`, { detail: json.stringify(answer) }))
  })
  addEventListener.call(window, `${secret}-${side}-answer`, (event) => { answer = json.parse((event as CustomEvent<string>).detail) as typeof answer })
  return { expose: (name: string, api: unknown): void => void send({ expose: name, api: pack(api) }) }
}
