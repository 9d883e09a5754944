import { z } from 'zod'
import type { ContentOf } from './record.ts'

/** The picture types that a journal stores. None of them can contain a script. */
export type PictureType = ContentOf<'picture'>['type']

const types = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' } as const satisfies Record<string, PictureType>
type Ending = keyof typeof types

/** A picture's file name: the SHA-256 of its bytes in hex, and the extension of its type. */
export const pictureName = z.string().regex(/^[0-9a-f]{64}\.(png|jpg|webp|gif)$/)

/** The file name for bytes of this type and hash (hex). */
export const pictureNameOf = (type: PictureType, sha256: string): string => {
  const ending = Object.entries(types).find(([, one]) => one === type)?.[0]
  if (ending === undefined) throw new Error('A picture of no known type')
  return pictureName.parse(`${sha256}.${ending}`)
}

/** The type in a picture's file name. */
export const typeOfPictureName = (name: string): PictureType => types[name.slice(name.lastIndexOf('.') + 1) as Ending]

const latin = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** A file's picture type by its first bytes, regardless of its name and declared type; null if it is not a supported picture. */
export const pictureTypeOf = (bytes: Uint8Array): PictureType | null => {
  if (latin(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'image/png'
  if (latin(bytes, 0, 3) === '\u00ff\u00d8\u00ff') return 'image/jpeg'
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (['GIF87a', 'GIF89a'].includes(latin(bytes, 0, 6))) return 'image/gif'
  return null
}
