import type { Books } from './books.ts'

/** What a browser gets: a page, or a redirect. */
export type PageAnswer = { readonly status: number; readonly html: string } | { readonly goTo: string }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const page = (title: string, body: string, status = 200): PageAnswer => ({ status, html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body><main><h1>${title}</h1>${body}</main></body></html>` })
const button = (what: string, label: string): string => `<button name="do" value="${what}">${label}</button>`
const form = (buttons: readonly string[]): string => `<form method="post">${buttons.join(' ')}</form>`
const link = (url: string | null, label: string): string => (url === null ? '' : `<p><a href="${escaped(url)}">${label}</a></p>`)
const euros = (cents: number | null): string => `${((cents ?? 0) / 100).toFixed(2)} euro`
const gone = page('This page has expired', '<p>Go back and try again.</p>', 404)

/** The hosted page of a checkout: `Pay` buys, `Pay with a declined card` is refused and stays, `Cancel` goes back. `pressed` is null where the page is only opened. */
export const checkoutPage = (books: Books, id: string, pressed: string | null): PageAnswer => {
  const checkout = books.checkouts.get(id)
  if (checkout?.status !== 'open') return gone
  if (pressed === 'pay') return { goTo: books.pay(checkout) }
  const declined = pressed === 'decline' ? '<p role="alert">Your card was declined.</p>' : ''
  return page('Checkout', `${declined}<p>${euros(checkout.amount_total)} a month</p>${form([button('pay', 'Pay'), button('decline', 'Pay with a declined card')])}${link(checkout.cancel_url, 'Cancel')}`)
}

/** The customer portal: the plan with `Cancel plan` or `Keep plan`, the invoices, `Return`; or the one change that is to be confirmed. `pressed` is null where the page is only opened. */
export const portalPage = (books: Books, id: string, pressed: string | null): PageAnswer => {
  const portal = books.portals.get(id)
  if (portal === undefined) return gone
  const { confirm, returnUrl } = portal
  if (confirm !== null) {
    if (pressed === 'confirm') {
      books.changePrice(confirm.subscription, confirm.price)
      return { goTo: confirm.doneUrl }
    }
    return page('Confirm your new plan', `<p>${euros(books.prices.get(confirm.price)?.unit_amount ?? null)} a month</p>${form([button('confirm', 'Confirm')])}${link(returnUrl, 'Return')}`)
  }
  const running = [...books.subscriptions.values()].filter(({ customer, status }) => customer === portal.customer && status !== 'canceled')
  for (const subscription of running) {
    if (pressed === `cancel ${subscription.id}`) books.announceEnd(subscription.id)
    if (pressed === `keep ${subscription.id}`) books.resume(subscription.id)
    if (pressed === `pay ${subscription.id}`) books.charge(subscription.id, 'paid')
  }
  if (pressed !== null) return { goTo: `/portal/${id}` }
  const plans = running.map(({ id: subscription, items, cancel_at: endsAt, status }) => {
    const buttons = [endsAt === null ? button(`cancel ${subscription}`, 'Cancel plan') : button(`keep ${subscription}`, 'Keep plan'), ...(status === 'past_due' ? [button(`pay ${subscription}`, 'Pay invoice')] : [])]
    return `<section><p>${euros(items.data[0]?.price.unit_amount ?? null)} a month, ${status}${endsAt === null ? '' : ', ends with its period'}</p>${form(buttons)}</section>`
  })
  const invoices = [...books.invoices.values()].filter(({ customer }) => customer === portal.customer).map(({ amount_due: cents, status }) => `<li>${euros(cents)}, ${String(status)}</li>`)
  return page('Your subscription', `${plans.join('')}<h2>Invoices</h2><ul>${invoices.join('')}</ul>${link(returnUrl, 'Return')}`)
}
