import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './app-test.ts'

/** Opens the scanner. */
export const openScanner = async (page: Page, search = ''): Promise<void> => {
  await goTo(page, `/dashboard/PositionScanner${search}`)
  await expect(page.getByRole('heading', { name: 'PositionScanner', exact: true })).toBeVisible()
}

/** The table of all that is open. */
export const scanner = (page: Page): Locator => page.getByRole('grid', { name: 'Open positions and accounts' })

/** The line of a position where accounts stand over their positions: the one of this contract below the account's line. */
export const positionOf = (page: Page, account: string, contract: string): Locator =>
  scanner(page).getByRole('row').filter({ has: page.getByRole('button', { name: `Close ${contract} in ${account}`, exact: true }) })

/** The line of an account. */
export const accountOf = (page: Page, account: string): Locator => scanner(page).getByRole('row').filter({ has: page.getByRole('button', { name: `Flatten ${account}`, exact: true }) })

/** How the cells of a line read, without the words on its buttons. */
export const cellsOf = async (row: Locator): Promise<string[]> => (await row.getByRole('gridcell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

/** How all lines begin: a heading or an account by its name, a position by its first cell, indented. */
export const outlineOf = (page: Page): Promise<string[]> =>
  scanner(page).locator('tbody tr[data-line]').evaluateAll((rows) =>
    rows.map((row) => (row.querySelector('[data-act=close]') === null ? '' : '  ') + (row.querySelector('td:first-child bdi')?.textContent ?? [...row.querySelectorAll('td:first-child span:not([aria-hidden])')].find(({ childElementCount, textContent }) => childElementCount === 0 && textContent !== '')?.textContent ?? row.querySelector('td')?.textContent ?? '')),
  )
