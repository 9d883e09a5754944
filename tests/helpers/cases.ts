/** How many cases a long test takes: all of them, in CI, where time is short, the first ones. */
export const casesOf = ({ all, inCi }: { readonly all: number; readonly inCi: number }): number => (process.env['CI'] === undefined ? all : inCi)
