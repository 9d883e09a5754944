/** For how many minutes after a trade its best exit is looked for. */
export const latestExits = [5, 15, 30, 60] as const
