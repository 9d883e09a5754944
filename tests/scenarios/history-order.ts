/** The order to the process that loads a history and is to be killed. */
export type HistoryOrder = {
  readonly folder: string
  /** `fills-written:2` */
  readonly killAt?: string
  /** Ends the process in the midst of so many questions to the broker. */
  readonly killAfterReports?: number
}

export const userId = 'trader'
export const since = '2025-06-02'
/** When it is: a Saturday. */
export const at = Date.UTC(2026, 5, 6)
/** Each has one trade on every weekday. */
export const accountNames: readonly string[] = ['PA-1', 'PA-2']
