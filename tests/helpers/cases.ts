/** Whether this is `npm run test:nightly`: some tests that only draw many more cases of a short one run there alone. */
export const isNightly = process.env['NIGHTLY'] !== undefined

/** How many cases a long test takes: all of them at night (`npm run test:nightly`), otherwise a part of them, and fewer still in CI if a number is given. */
export const casesOf = ({ nightly, long, inCi = long }: { readonly nightly: number; readonly long: number; readonly inCi?: number }): number =>
  isNightly ? nightly : process.env['CI'] === undefined ? long : inCi
