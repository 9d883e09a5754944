import { act, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { DayInput } from './day-input.tsx'
import { Field } from './field.tsx'

type Span = { readonly from: string; readonly to: string }

/** Two fields over a range, as in a filter: a day beyond the other end moves that end too. */
const open = (begun: Span = { from: '2026-01-22', to: '2026-02-20' }) => {
  const taken: Span[] = []
  let set: (span: Span) => void = () => undefined
  const Range = () => {
    const [span, setSpan] = useState(begun)
    set = setSpan
    const take = (next: Span): void => {
      taken.push(next)
      setSpan(next)
    }
    return (
      <>
        <Field label="From">{(field) => <DayInput {...field} value={span.from} onChange={(from) => { take({ from, to: from > span.to ? from : span.to }) }} />}</Field>
        <Field label="To">{(field) => <DayInput {...field} value={span.to} onChange={(to) => { take({ to, from: to < span.from && to !== '' ? to : span.from }) }} />}</Field>
      </>
    )
  }
  const { getByLabelText } = render(<Range />)
  const field = (label: string): HTMLInputElement => getByLabelText(label) as HTMLInputElement
  return { taken, field, change: (span: Span) => { act(() => { set(span) }) } }
}

/** Types as a browser reports it: a key, then what the field holds; `null` while it is half-typed. */
const type = (field: HTMLInputElement, ...held: readonly (string | null)[]): void => {
  act(() => { field.focus() })
  for (const day of held) {
    fireEvent.keyDown(field, { key: '1' })
    Object.defineProperty(field, 'validity', { value: { badInput: day === null }, configurable: true })
    fireEvent.change(field, { target: { value: day ?? '' } })
  }
}
const leave = (field: HTMLInputElement): void => { act(() => { field.blur() }) }

const firstOfOctober = ['2026-10-22', null, '2026-10-01', '0002-10-01', '0020-10-01', '0202-10-01', '2026-10-01'] as const
const lastOfOctober = ['2026-10-01', '2026-10-03', '2026-10-31', '0002-10-31', '0020-10-31', '0202-10-31', '2026-10-31'] as const

test('a range typed over another one is the one that was typed', () => {
  const { taken, field } = open()
  type(field('From'), ...firstOfOctober)
  expect(taken).toEqual([])
  leave(field('From'))
  type(field('To'), ...lastOfOctober)
  leave(field('To'))
  expect(taken).toEqual([{ from: '2026-10-01', to: '2026-10-01' }, { from: '2026-10-01', to: '2026-10-31' }])
  expect([field('From').value, field('To').value]).toEqual(['2026-10-01', '2026-10-31'])
})

test('a range that changes while a day is typed leaves the typed one alone', () => {
  const { taken, field, change } = open()
  type(field('To'), '2026-03-20')
  change({ from: '2026-02-01', to: '2026-02-10' })
  expect([field('From').value, field('To').value]).toEqual(['2026-02-01', '2026-03-20'])
  leave(field('To'))
  expect(taken).toEqual([{ from: '2026-02-01', to: '2026-03-20' }])
  change({ from: '2026-05-01', to: '2026-05-02' })
  expect(field('To').value).toBe('2026-05-02')
})

test('Enter ends typing, and a second Enter changes nothing', () => {
  const { taken, field } = open()
  type(field('From'), '2026-02-02')
  fireEvent.keyDown(field('From'), { key: 'Enter' })
  fireEvent.keyDown(field('From'), { key: 'Enter' })
  expect(taken).toEqual([{ from: '2026-02-02', to: '2026-02-20' }])
})

test.each([['half-typed', null], ['before 1990', '0026-10-01'], ['after 2099', '2100-01-01']])('a field that is left with a day %s shows the former day again', (_, day) => {
  const { taken, field } = open()
  type(field('From'), day)
  leave(field('From'))
  expect(taken).toEqual([])
  expect(field('From').value).toBe('2026-01-22')
})

test('an emptied field ends the filter once it is left', () => {
  const { taken, field } = open()
  type(field('From'), '')
  expect(taken).toEqual([])
  leave(field('From'))
  expect(taken).toEqual([{ from: '', to: '2026-02-20' }])
})

test('a required field cannot be emptied', () => {
  const { getByLabelText } = render(<Field label="Day">{(field) => <DayInput {...field} required value="2026-01-22" onChange={() => { throw new Error('emptied') }} />}</Field>)
  const day = getByLabelText('Day') as HTMLInputElement
  type(day, '')
  leave(day)
  expect(day.value).toBe('2026-01-22')
})

test('a day picked in the calendar counts at once, after typing too', () => {
  const { taken, field } = open()
  fireEvent.change(field('From'), { target: { value: '2026-02-05' } })
  expect(taken).toEqual([{ from: '2026-02-05', to: '2026-02-20' }])
  type(field('To'), null)
  fireEvent.pointerDown(field('To'))
  fireEvent.change(field('To'), { target: { value: '2026-02-06' } })
  leave(field('To'))
  expect(taken.slice(1)).toEqual([{ from: '2026-02-05', to: '2026-02-06' }])
})
