/**
 * A number as people type it (`$1,500.00`, `1'500`, `−2.5`), as plain decimal text: without a currency sign and without
 * separators between groups of digits. Anything else comes back as it was, for its reader to refuse.
 */
export const typedNumber = (text: string): string => {
  const bare = text.trim().replace('\u2212', '-').replace(/^([+-]?)\s*[$€£]\s*/u, '$1').replace(/^\+/, '')
  return grouped.test(bare) ? bare.replaceAll(separators, '') : bare
}

// Thousands, or lakhs and crores before the last thousand; one kind of separator throughout.
const grouped = /^-?\d{1,3}(?:([,'\u2019\u00a0\u202f ])\d{2,3}(?:\1\d{2,3})*(?<=\1\d{3}))(?:\.\d+)?$/u
const separators = /[,'\u2019\u00a0\u202f ]/gu
