import { describe, expect, test } from 'vitest'
import { pictureName, pictureNameOf, pictureTypeOf, typeOfPictureName } from './picture.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const hash = 'a'.repeat(64)

describe('what a file is', () => {
  test.each([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0..JFIF', 'image/jpeg'],
    ['RIFF....WEBPVP8 ', 'image/webp'],
    ['GIF87a..', 'image/gif'],
    ['GIF89a..', 'image/gif'],
  ])('%j', (text, type) => {
    expect(pictureTypeOf(bytes(text))).toBe(type)
  })
  test.each(['', 'GIF', '\x89PN', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<?xml version="1.0"?><svg/>', '<!doctype html>', '%PDF-1.7', 'RIFF....WAVEfmt ', 'BM....', ' GIF89a'])('%j is none', (text) => {
    expect(pictureTypeOf(bytes(text))).toBeNull()
  })
})

describe('the name of a picture', () => {
  test.each(['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const)('tells %s again', (type) => {
    expect(typeOfPictureName(pictureNameOf(type, hash))).toBe(type)
  })
  test.each([`../${hash}.png`, `${hash}.svg`, `${hash}.PNG`, `${hash}.png/`, `${hash}.png\n`, `${hash.slice(1)}.png`, `${'A'.repeat(64)}.png`, hash, '..'])('is never %j', (name) => {
    expect(pictureName.safeParse(name).success).toBe(false)
  })
})
