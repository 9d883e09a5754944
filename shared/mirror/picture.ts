import { z } from 'zod'
import type { ContentOf } from './record.ts'

/** The kinds of pictures that a journal keeps. None of them can carry a script. */
export type PictureType = ContentOf<'picture'>['type']

const types = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif' } as const satisfies Record<string, PictureType>
type Ending = keyof typeof types

/** The name of a picture's file: the SHA-256 of its bytes in hex, and the ending of its type. */
export const pictureName = z.string().regex(/^[0-9a-f]{64}\.(png|jpg|webp|gif)$/)

/** The name under which bytes of this type and hash (hex) are kept. */
export const pictureNameOf = (type: PictureType, sha256: string): string => {
  const ending = Object.entries(types).find(([, one]) => one === type)?.[0]
  if (ending === undefined) throw new Error('A picture of no known type')
  return pictureName.parse(`${sha256}.${ending}`)
}

/** The type that a name tells, as `pictureName` allows it. */
export const typeOfPictureName = (name: string): PictureType => types[name.slice(name.lastIndexOf('.') + 1) as Ending]

const latin = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** What a file is by its first bytes, whatever its name or sender says; null where it is no picture that a journal keeps. */
export const pictureTypeOf = (bytes: Uint8Array): PictureType | null => {
  if (latin(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'image/png'
  if (latin(bytes, 0, 3) === '\u00ff\u00d8\u00ff') return 'image/jpeg'
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (['GIF87a', 'GIF89a'].includes(latin(bytes, 0, 6))) return 'image/gif'
  return null
}
