/** The order to the process that imports and is to be killed. */
export type ImportOrder = {
  readonly folder: string
  /** How many fills the second import has. */
  readonly fills: number
  /** `fills-written:2` */
  readonly killAt?: string
}

export const userId = 'trader'
export const migrationsFolder = new URL('../../migrations/sqlite/', import.meta.url).pathname
