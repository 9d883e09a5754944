// @module-tag slow
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { largestPicture } from '#shared/api/pictures.ts'
import { createPictures } from './pictures.ts'

const png = (text = ''): Buffer => Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1')

const setUp = () => {
  const base = mkdtempSync(join(tmpdir(), 'fillbook-pictures-'))
  onTestFinished(() => { rmSync(base, { recursive: true, force: true }) })
  const folder = join(base, 'pictures')
  return { base, folder, pictures: createPictures(folder) }
}
const kept = async (pictures: ReturnType<typeof createPictures>, userId: string, content: Buffer) => {
  const result = await pictures.keep(userId, content)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

test('a picture is returned unchanged, under the hash of its bytes', async () => {
  const { pictures } = setUp()
  const one = await kept(pictures, 'ann', png('one'))
  expect(one).toEqual({ name: 'a3bea3f99d910d4fda4433c0a3794b718278c6485e1e2dddac8f346357ba0d27.png', type: 'image/png', bytes: 11 })
  expect(await pictures.read('ann', one.name)).toEqual({ type: 'image/png', content: png('one') })
  expect(await pictures.has('ann', one.name)).toBe(true)
})

test('equal bytes are one file, and one user does not see those of another', async () => {
  const { folder, pictures } = setUp()
  const [one, again, other] = await Promise.all([png('same'), png('same'), png('other')].map((content) => kept(pictures, 'ann', content)))
  expect(again).toEqual(one)
  expect(readdirSync(join(folder, 'ann')).toSorted()).toEqual([one?.name, other?.name].toSorted())
  expect((await pictures.list('ann')).toSorted()).toEqual([one?.name, other?.name].toSorted())
  expect(await pictures.list('bob')).toEqual([])
  expect(await pictures.read('bob', one?.name ?? '')).toBeNull()
})

test('only pictures are stored, and none that is too large', async () => {
  const { base, pictures } = setUp()
  for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', '<!doctype html><script>alert(1)</script>', '%PDF-1.7']) {
    expect(await pictures.keep('ann', Buffer.from(text))).toEqual({ ok: false, error: 'picture-unreadable' })
  }
  const largest = Buffer.concat([png(), Buffer.alloc(largestPicture - png().length)])
  expect(await pictures.keep('ann', Buffer.concat([largest, Buffer.alloc(1)]))).toEqual({ ok: false, error: 'picture-too-large' })
  expect(readdirSync(base)).toEqual([])
  expect(await kept(pictures, 'ann', largest)).toMatchObject({ bytes: largestPicture })
})

test('a name leads to no other file', async () => {
  const { folder, pictures } = setUp()
  await kept(pictures, 'ann', png())
  writeFileSync(join(folder, 'secret.png'), 'secret')
  writeFileSync(join(folder, 'ann', 'notes.txt'), 'notes')
  const names = ['../secret.png', '..', '', '.', 'notes.txt', '../../../etc/passwd', join(folder, 'secret.png'), `../ann/${'a'.repeat(64)}.png`, `${'a'.repeat(64)}.svg`]
  for (const name of names) {
    expect(await pictures.read('ann', name), name).toBeNull()
    expect(await pictures.has('ann', name), name).toBe(false)
  }
  expect(await pictures.list('ann')).toHaveLength(1)
  await expect(pictures.read('../ann', `${'a'.repeat(64)}.png`)).rejects.toThrow('names no folder')
})

test('a picture cut off by a crash is written again, and a temporary file is no picture', async () => {
  const { folder, pictures } = setUp()
  const { name } = await kept(pictures, 'ann', png('whole'))
  truncateSync(join(folder, 'ann', name), 3)
  writeFileSync(join(folder, 'ann', `${name}.1234.tmp`), 'half')
  await kept(pictures, 'ann', png('whole'))
  expect((await pictures.read('ann', name))?.content).toEqual(png('whole'))
  expect(await pictures.list('ann')).toEqual([name])
})

test.skipIf(process.platform === 'win32')('only its owner can read a picture', async () => {
  const { folder, pictures } = setUp()
  const { name } = await kept(pictures, 'ann', png())
  expect(statSync(join(folder, 'ann')).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'ann', name)).mode & 0o777).toBe(0o600)
})

test('a write error is a fault and leaves nothing behind', async () => {
  const { folder, pictures } = setUp()
  mkdirSync(folder)
  writeFileSync(join(folder, 'ann'), 'in the way')
  await expect(pictures.keep('ann', png())).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['ann'])
})
