declare module 'pino-roll' {
  import type { Writable } from 'node:stream'

  /** A file that rolls to the next number when full; `limit.count` files stay beside the current one. */
  function build(options: {
    file: string
    extension?: string
    size?: string
    mkdir?: boolean
    /** Writes synchronously, so that a crash loses no line. */
    sync?: boolean
    /** Bytes of lines that wait if none can be written; more are dropped. */
    maxLength?: number
    limit?: { count: number; removeOtherLogFiles?: boolean }
  }): Promise<Writable & { flushSync: () => void; end: () => void }>
  export = build
}
