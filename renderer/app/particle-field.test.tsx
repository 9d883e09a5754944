import { expect, test } from 'vitest'
import { drift, scatter } from './particle-field.tsx'

const inTurn = (...numbers: number[]): (() => number) => {
  let next = 0
  return () => numbers[next++ % numbers.length] ?? 0
}

test('particles are spread over the whole area, each with a way of its own', () => {
  const [first, second] = scatter(2, 200, 100, inTurn(0.5, 0.25, 1, 0, 0.5))
  expect(first).toEqual({ x: 100, y: 25, dx: 14, dy: -14, radius: 2.2 })
  expect(second).toEqual(first)
})

test('they move by their speed, and come back on the other side of where they leave', () => {
  const particles = [
    { x: 10, y: 10, dx: 5, dy: -4, radius: 1 },
    { x: 198, y: 1, dx: 6, dy: -8, radius: 1 },
  ]
  drift(particles, 0.5, 200, 100)
  expect(particles.map(({ x, y }) => [x, y])).toEqual([[12.5, 8], [1, 97]])
})

test('an area that shrank takes all of them in, and one of no size harms none', () => {
  const particles = [{ x: 190, y: 90, dx: 0, dy: 0, radius: 1 }]
  drift(particles, 0, 100, 50)
  expect(particles).toMatchObject([{ x: 90, y: 40 }])
  drift(particles, 0, 0, 0)
  expect(particles).toMatchObject([{ x: 0, y: 0 }])
})
