const partShape = /^(\d+)_\d+$/
const numberShape = /^\d+$/

/** The broker's id of the fill that a row is part of: NinjaTrader appends a counter to it, `303363433426_1`. Null for any other id. */
export const wholeIdOf = (fillId: string): string | null => partShape.exec(fillId)?.[1] ?? null

/** Whether an id is the broker's or a part of it, so different ids mean different fills; a platform may use ids of its own. */
export const isBrokersId = (id: string): boolean => numberShape.test(id) || partShape.test(id)

const platformShape = /^(topstepx|ninjatrader|atas|quantower|sierra|rithmic|tradingview|csv-[0-9a-z]+)-/

/** Who gave an id: the broker, a platform by its name, or `own` if NinjaTrader made up one for its executions. Only within one issuer do different ids mean different fills. */
export const issuerOf = (id: string): string => (isBrokersId(id) ? 'broker' : (platformShape.exec(id)?.[1] ?? 'own'))

/** Whether an id is that of a file in a format of the user's own, whose column of ids may hold something else in some rows. */
export const isMappedId = (id: string): boolean => id.startsWith('csv-')

/** Whether an id is that of a platform's report, so that its rows may be those of another issuer again. */
export const isPlatformsId = (id: string): boolean => platformShape.test(id)

/** Rows that state more come first; those of the user's own formats last. */
const issuers = ['broker', 'own', 'quantower', 'sierra', 'topstepx', 'ninjatrader', 'atas', 'rithmic', 'tradingview']
const placeOf = (issuer: string): string => {
  const place = issuers.indexOf(issuer)
  return place < 0 ? issuer : String(place)
}

/** Rows by the issuer of their ids, those with the most facts first. */
export const byIssuer = <R>(rows: readonly R[], idOf: (row: R) => string): readonly (readonly [issuer: string, rows: readonly R[]])[] =>
  [...Map.groupBy(rows, (row) => issuerOf(idOf(row)))].sort(([one], [other]) => (placeOf(one) < placeOf(other) ? -1 : 1))
