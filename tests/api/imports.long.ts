/**
 * @module-tag long
 * @module-tag nightly
 */

import { expect, test } from 'vitest'
import { importRoutes } from '#shared/api/imports.ts'
import { startApp } from '#tests/helpers/app.ts'
import { casesOf } from '#tests/helpers/cases.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { heldBytes, streamUpload, importRequest } from '#tests/helpers/upload.ts'

const megabytes = casesOf({ nightly: 100, long: 100, inCi: 40 })

test(`${String(megabytes)} megabytes stream to the disk, and are previewed as counts, in bounded memory`, async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  await browser.signUp()
  const three = threeFiles(14, 2)
  const text = new TextDecoder().decode(three.fills)
  const start = text.indexOf('\n') + 1
  const rows = Buffer.from(text.slice(start).repeat(Math.ceil(65_536 / (text.length - start))))
  const megabyte = 1_048_576
  let [sent, peak] = [0, 0]
  const before = heldBytes()
  const body = function* (): Generator<Uint8Array> {
    yield Buffer.from(text.slice(0, start))
    for (; sent < megabytes * megabyte; sent += rows.length) {
      // Sampling is enough: only held memory grows, garbage does not count.
      if (sent % (10 * megabyte) < rows.length) peak = Math.max(peak, heldBytes() - before)
      yield rows
    }
  }
  const upload = await streamUpload(browser, 'Fills.csv', body())
  expect(sent).toBeGreaterThanOrEqual(megabytes * megabyte)
  expect(peak).toBeLessThan(32 * megabyte)
  const preview = await browser.call(importRoutes.previewImport, { body: importRequest([upload]) })
  expect(preview).toMatchObject({ outcome: null, without: 'too-many-rows', files: [{ kind: 'fills', refused: 0 }], accounts: [{ name: three.account }] })
  expect(preview.files[0]?.rows).toBeGreaterThan(megabytes * 4_000)
})
