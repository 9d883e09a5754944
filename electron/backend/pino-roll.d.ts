declare module 'pino-roll' {
  import type { Writable } from 'node:stream'

  /** A file that goes on under the next number when it is full; `limit.count` files stay beside the one in use. */
  function build(options: {
    file: string
    extension?: string
    size?: string
    mkdir?: boolean
    /** Writes at once, so that a crash loses no line. */
    sync?: boolean
    /** Bytes of lines that wait where none can be written; more are dropped. */
    maxLength?: number
    limit?: { count: number; removeOtherLogFiles?: boolean }
  }): Promise<Writable & { flushSync: () => void; end: () => void }>
  export = build
}
