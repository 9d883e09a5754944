/** A picture as PNG, square. */
export type Png = { readonly size: number; readonly data: Buffer }

const entry = (bytes: number, fill: (into: Buffer) => void): Buffer => {
  const made = Buffer.alloc(bytes)
  fill(made)
  return made
}

/** The pictures as one `.ico`, each as PNG, which Windows supports since Vista. Sizes are at most 256 pixels. */
export const icoOf = (pictures: readonly Png[]): Buffer => {
  const head = entry(6, (into) => {
    into.writeUInt16LE(1, 2)
    into.writeUInt16LE(pictures.length, 4)
  })
  let at = head.length + 16 * pictures.length
  const entries = pictures.map(({ size, data }) =>
    entry(16, (into) => {
      // 256 is written as 0.
      into.writeUInt8(size % 256, 0)
      into.writeUInt8(size % 256, 1)
      into.writeUInt16LE(1, 4)
      into.writeUInt16LE(32, 6)
      into.writeUInt32LE(data.length, 8)
      into.writeUInt32LE(at, 12)
      at += data.length
    }),
  )
  return Buffer.concat([head, ...entries, ...pictures.map(({ data }) => data)])
}

/** The kinds of an `.icns` that hold PNG, with their pixels, for standard and high density screens. */
export const icnsKinds = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 } as const

/** The pictures as one `.icns` with every kind of `icnsKinds`; throws if a size is missing. */
export const icnsOf = (pictures: readonly Png[]): Buffer => {
  const parts = Object.entries(icnsKinds).map(([kind, size]) => {
    const picture = pictures.find((given) => given.size === size)
    if (picture === undefined) throw new Error(`An .icns wants a picture of ${String(size)} pixels.`)
    const head = entry(8, (into) => {
      into.write(kind, 'ascii')
      into.writeUInt32BE(8 + picture.data.length, 4)
    })
    return Buffer.concat([head, picture.data])
  })
  const body = Buffer.concat(parts)
  const head = entry(8, (into) => {
    into.write('icns', 'ascii')
    into.writeUInt32BE(8 + body.length, 4)
  })
  return Buffer.concat([head, body])
}
