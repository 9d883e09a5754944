const exitShape = /^(.+)~out$/

/** The id of the opening leg that this leg of a platform's closed trade closes; null for any other fill. */
export const openingLegOf = (fillId: string): string | null => {
  const [, key] = exitShape.exec(fillId) ?? []
  return key === undefined ? null : `${key}~in`
}
