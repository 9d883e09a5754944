import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import { useRowKeys } from './use-row-keys.ts'
import { useShortcutListener } from './use-shortcut.ts'

const List = ({ count }: { count: number }) => {
  useShortcutListener()
  const scroller = useRef<HTMLDivElement>(null)
  const { active, onKeyDown } = useRowKeys({ count, inSight: { first: 0, last: Math.max(0, count - 1) }, scroller, scrollTo: () => undefined, onEnter: () => undefined })
  return (
    <div ref={scroller}>
      <input aria-label="Search" />
      <table>
        <tbody onKeyDown={onKeyDown}>
          {Array.from({ length: count }, (_, line) => <tr key={line} data-line={line} tabIndex={line === active ? 0 : -1} />)}
        </tbody>
      </table>
    </div>
  )
}

const focusedLine = (): string | null => document.activeElement?.getAttribute('data-line') ?? null

test('J before the rows are loaded leads to the first row once they are', async () => {
  const user = userEvent.setup({ delay: null })
  const { rerender } = render(<List count={0} />)
  await user.keyboard('j')
  expect(focusedLine()).toBeNull()
  rerender(<List count={1} />)
  expect(focusedLine()).toBe('0')
  rerender(<List count={3} />)
  await user.keyboard('{ArrowDown}')
  expect(focusedLine()).toBe('1')
})

test('J waits for nobody who went elsewhere meanwhile', async () => {
  const user = userEvent.setup({ delay: null })
  const { rerender, getByRole } = render(<List count={0} />)
  await user.keyboard('j')
  await user.click(getByRole('textbox'))
  rerender(<List count={2} />)
  expect(document.activeElement).toBe(getByRole('textbox'))
})
