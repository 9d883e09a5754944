import { sleep } from './clock.ts'

/** In place of `node:timers/promises`. */
export { sleep as setTimeout }
/** In place of `node:timers/promises`. */
export const setImmediate = <T>(value?: T): Promise<T> => sleep(0, value)
