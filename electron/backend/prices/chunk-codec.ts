import { constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Columns of a chunk: the times in µs, and for prints price and size, for bars open, high, low, close and volume. Prices are whole ticks. */
export type Columns = { readonly at: Float64Array; readonly values: readonly Float64Array[] }

/** A chunk as it is stored: the codec, and its bytes. */
export type Packed = { readonly codec: number; readonly data: Uint8Array }

// node:zlib calls zstd experimental: a runtime may lack it, and then writes gzip, which every one reads.
const [zstd, gzip] = [1, 2]
const hasZstd = typeof zstdCompressSync === 'function'

const greatestDivisor = (one: number, other: number): number => {
  while (other !== 0) [one, other] = [other, one % other]
  return one
}

const createBytes = () => {
  let data = new Uint8Array(64 * 1024)
  let length = 0
  /** Writes a whole number from 0 up in as many bytes as it needs. */
  const whole = (number: number): void => {
    if (length + 10 > data.length) {
      const more = new Uint8Array(data.length * 2)
      more.set(data)
      data = more
    }
    let value = number
    // Shifts know 32 bits only.
    while (value >= 0x80) {
      data[length] = (value % 0x80) + 0x80
      length += 1
      value = Math.floor(value / 0x80)
    }
    data[length] = value
    length += 1
  }
  return { whole, signed: (value: number): void => whole(value < 0 ? -2 * value - 1 : 2 * value), written: () => data.subarray(0, length) }
}

/** Compresses `count` entries. Each column is stored as its differences: of times in their greatest common divisor, of closes to the one before, of a bar's other prices to its own. */
export const pack = ({ at, values }: Columns, count: number): Packed => {
  const bytes = createBytes()
  let unit = 0
  for (let index = 1; index < count; index += 1) unit = greatestDivisor(unit, (at[index] ?? 0) - (at[index - 1] ?? 0))
  unit ||= 1
  bytes.whole(unit)
  for (let index = 1; index < count; index += 1) bytes.whole(((at[index] ?? 0) - (at[index - 1] ?? 0)) / unit)
  const column = (cell: (index: number) => number): void => {
    for (let index = 0; index < count; index += 1) bytes.signed(cell(index))
  }
  const of = (number: number) => values[number] ?? new Float64Array(0)
  if (values.length === 2) {
    const [price, size] = [of(0), of(1)]
    column((index) => (price[index] ?? 0) - (price[index - 1] ?? 0))
    column((index) => size[index] ?? 0)
  } else {
    const [open, high, low, close, volume] = [of(0), of(1), of(2), of(3), of(4)]
    column((index) => (open[index] ?? 0) - (close[index - 1] ?? 0))
    column((index) => (close[index] ?? 0) - (open[index] ?? 0))
    column((index) => (high[index] ?? 0) - Math.max(open[index] ?? 0, close[index] ?? 0))
    column((index) => Math.min(open[index] ?? 0, close[index] ?? 0) - (low[index] ?? 0))
    column((index) => volume[index] ?? 0)
  }
  const plain = bytes.written()
  return hasZstd ? { codec: zstd, data: zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }) } : { codec: gzip, data: gzipSync(plain) }
}

/** The entries of a chunk; `first` is the time of its first, `columns` how many values each has. */
export const unpack = ({ codec, data }: Packed, { first, count, columns }: { readonly first: number; readonly count: number; readonly columns: 2 | 5 }): Columns => {
  const bytes = codec === zstd ? zstdDecompressSync(data) : gunzipSync(data)
  let place = 0
  const whole = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[place]
      if (byte === undefined) throw new Error('A chunk of prices ends too early')
      place += 1
      if (byte < 0x80) return value + byte * factor
      value += (byte - 0x80) * factor
    }
  }
  const signed = (): number => {
    const value = whole()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  const unit = whole()
  const at = new Float64Array(count)
  if (count > 0) at[0] = first
  for (let index = 1; index < count; index += 1) at[index] = (at[index - 1] ?? 0) + whole() * unit
  const column = (cell: (difference: number, index: number) => number): Float64Array => {
    const values = new Float64Array(count)
    for (let index = 0; index < count; index += 1) values[index] = cell(signed(), index)
    return values
  }
  if (columns === 2) {
    let price = 0
    return { at, values: [column((difference) => (price += difference)), column((size) => size)] }
  }
  // A bar's open is stored as its distance from the close before, and its close from its own open.
  const opens = column((difference) => difference)
  const closes = column((difference) => difference)
  for (let index = 0; index < count; index += 1) {
    opens[index] = (opens[index] ?? 0) + (index === 0 ? 0 : (closes[index - 1] ?? 0))
    closes[index] = (closes[index] ?? 0) + (opens[index] ?? 0)
  }
  const high = column((above, index) => Math.max(opens[index] ?? 0, closes[index] ?? 0) + above)
  const low = column((below, index) => Math.min(opens[index] ?? 0, closes[index] ?? 0) - below)
  return { at, values: [opens, high, low, closes, column((volume) => volume)] }
}
