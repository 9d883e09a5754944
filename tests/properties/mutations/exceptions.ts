import type { Played } from './cases.ts'
import type { Silent } from './judge.ts'

/** A class of silent wrongs that is known and not mended yet: each is counted by its name and printed, never passed over. */
type Exception = { readonly name: string; readonly fits: (played: Played, silent: readonly Silent[]) => boolean }

const exceptions: readonly Exception[] = []

/** The known exception that a failure is one of; null where it is none. */
export const exceptionOf = (played: Played, silent: readonly Silent[]): string | null => exceptions.find(({ fits }) => fits(played, silent))?.name ?? null
