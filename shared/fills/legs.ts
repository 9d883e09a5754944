const exitMark = '~out'

/** The id of the opening leg that this leg of a platform's closed trade closes; null for any other fill. Runs for each closing fill. */
export const openingLegOf = (fillId: string): string | null => (fillId.endsWith(exitMark) && fillId.length > exitMark.length ? `${fillId.slice(0, -exitMark.length)}~in` : null)
