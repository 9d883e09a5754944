import { expect, test } from 'vitest'
import { createPlaces } from './semaphore.ts'

const stays = new AbortController().signal

test('who comes when all places are taken waits, first come, first served', async () => {
  const places = createPlaces(1)
  const order: string[] = []
  const first = await places.take(stays)
  const second = places.take(stays).then((giveBack) => { order.push('second'); return giveBack })
  const third = places.take(stays).then((giveBack) => { order.push('third'); return giveBack })
  first()
  // Once is enough: a second time gives no second place.
  first()
  const giveBack = await second
  expect(order).toEqual(['second'])
  giveBack()
  ;(await third)()
  ;(await places.take(stays))()
})

test('who leaves while waiting takes no place, and who has one and leaves gives it back', async () => {
  const places = createPlaces(1)
  const [leaving, holding] = [new AbortController(), new AbortController()]
  const first = await places.take(stays)
  const [gone, held] = [places.take(leaving.signal), places.take(holding.signal)]
  leaving.abort(new Error('left'))
  await expect(gone).rejects.toThrow('left')
  first()
  // The place is this one's already: leaving in the same moment must not take the wait of another away.
  const last = places.take(stays)
  holding.abort(new Error('left too'))
  ;(await held)()
  ;(await last)()
  await expect(places.take(AbortSignal.abort(new Error('never came')))).rejects.toThrow('never came')
})
