/** Traders' abbreviations, in every language. */
export const excursionNames = { mae: 'MAE', mfe: 'MFE' } as const
