import type { Brand } from '#shared/base/brand.ts'

/** A price as a whole number of ticks of its contract's tick size. */
export type Ticks = Brand<number, 'Ticks'>
