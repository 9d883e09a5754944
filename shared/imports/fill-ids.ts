const partShape = /^(\d+)_\d+$/
const numberShape = /^\d+$/

/** The broker's id of the fill that a row is part of: NinjaTrader appends a counter to it, `303363433426_1`. Null for any other id. */
export const wholeIdOf = (fillId: string): string | null => partShape.exec(fillId)?.[1] ?? null

/** Whether an id is the broker's or a part of it, so different ids mean different fills; a platform may use ids of its own. */
export const isBrokersId = (id: string): boolean => numberShape.test(id) || partShape.test(id)
