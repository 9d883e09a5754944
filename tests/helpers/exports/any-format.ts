import type { FormatField, ImportFormat } from '#shared/imports/mapped-format.ts'

/** The format of a file whose columns have the names of their fields. */
export const formatOf = (rows: ImportFormat['rows'], fields: readonly FormatField[]): ImportFormat => ({
  fillbook: 'import-format', version: 1, name: 'Mine', rows, dates: null, decimals: null, symbols: [],
  columns: fields.map((field) => ({ header: `My ${field}`, field })),
  sides: [{ word: 'in', side: 'buy' }, { word: 'out', side: 'sell' }],
})

/** A format that files of fills can be read by. */
export const anyFormat = formatOf('fills', ['time', 'symbol', 'side', 'quantity', 'price', 'fee'])
