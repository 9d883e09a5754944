const partShape = /^(\d+)_\d+$/
const numberShape = /^\d+$/

/** The broker's own id of the fill that a row is a part of: NinjaTrader names its executions by the broker's id and a count, `303363433426_1`. Null for any other id. */
export const wholeIdOf = (fillId: string): string | null => partShape.exec(fillId)?.[1] ?? null

/** Whether an id is the broker's own, or a part of it, so that another one names another fill; a platform may have ids of its own instead. */
export const isBrokersId = (id: string): boolean => numberShape.test(id) || partShape.test(id)
