import { expect, test } from 'vitest'
import { createFormat, toneOf } from './format.ts'

const format = createFormat('en', 'America/New_York')

test('money has cents, the true minus sign, and a plus only where it is a gain', () => {
  expect(format.money('3742.25')).toBe('3,742.25')
  expect(format.money('-812.4')).toBe('−812.40')
  expect([format.signedMoney('461.9'), format.signedMoney('-69.16'), format.signedMoney('0.00')]).toEqual(['+461.90', '−69.16', '0.00'])
})

test('an exact decimal keeps its parts of a cent, from its own digits and not from a float', () => {
  expect([format.money('1.005'), format.signedMoney('-11.465'), format.money('0.0001'), format.money('2.5')]).toEqual(['1.005', '−11.465', '0.0001', '2.50'])
  expect(format.money('9007199254740993.25')).toBe('9,007,199,254,740,993.25')
})

test('what rounds to nothing carries no sign', () => {
  expect([format.money(-0.001), format.signedMoney('-0.00001'), format.signedMoney(0.001), format.wholeMoney('-0.4', 'USD')]).toEqual(['0.00', '0.00', '0.00', '$0'])
})

test('balances show no decimals and their currency', () => {
  expect([format.wholeMoney('50214.61', 'USD'), format.wholeMoney('-1204.2', 'EUR')]).toEqual(['$50,215', '−€1,204'])
})

test('sums beside no currency show it, to the cent or as fine as they are', () => {
  expect([format.fullMoney('48412.5', 'USD'), format.fullMoney('-0.0001', 'USD'), format.fullMoney('12', 'EUR')]).toEqual(['$48,412.50', '−$0.0001', '€12.00'])
})

test('shares and contracts have as many decimals as given, and no more', () => {
  expect([format.exactPercent(0.3), format.exactPercent(0.3001), format.quantity(4), format.quantity(1.3)]).toEqual(['30%', '30.01%', '4', '1.3'])
})

test('an average of prices has seven digits, and two decimals at least', () => {
  expect([25_236.1667, 25_236.5, 6_671.166667, 112.234375, 1.0845171, 0.00672345, 125_236.1667, 60].map(format.averagePrice)).toEqual(['25,236.17', '25,236.50', '6,671.167', '112.2344', '1.084517', '0.00672345', '125,236.17', '60.00'])
})

test('prices keep all their decimals', () => {
  expect([format.price(21604.25), format.price(1.10435), format.price(71.4)]).toEqual(['21,604.25', '1.10435', '71.40'])
})

test('moments show in the zone of the profile and days stay the day they are', () => {
  expect(format.dateTime('2026-02-13T19:41:07Z')).toBe('Feb 13, 14:41:07')
  expect(createFormat('en', 'Asia/Tokyo').dateTime('2026-02-13T19:41:07Z')).toBe('Feb 14, 04:41:07')
  expect(['Pacific/Kiritimati', 'America/Los_Angeles'].map((zone) => createFormat('en', zone).day('2026-02-13'))).toEqual(['Feb 13', 'Feb 13'])
  expect(format.dateTime('2026-02-13T05:00:00Z')).toBe('Feb 13, 00:00:00')
})

test('a time of day is shown to the minute or to the second', () => {
  expect([format.time('2026-02-13T19:41:07Z'), format.clock('2026-02-13T19:41:07Z')]).toEqual(['14:41', '14:41:07'])
})

test('a span names its day once, or both where it crosses midnight in the zone of the profile', () => {
  expect(format.span('2026-02-13T16:02:00Z', '2026-02-13T22:00:00Z')).toMatch(/^Feb 13, 11:02\s–\s17:00$/)
  expect(format.span('2026-02-13T03:02:00Z', '2026-02-13T22:00:00Z')).toMatch(/^Feb 12, 22:02\s–\sFeb 13, 17:00$/)
})

test('an age is shown in its largest fitting unit', () => {
  const now = Date.parse('2026-02-13T12:00:00Z')
  expect([format.age('2026-02-13T11:55:00Z', now), format.age('2026-02-13T14:00:00Z', now), format.age('2026-02-10T12:00:00Z', now)]).toEqual(['5 min. ago', 'in 2 hr.', '3 days ago'])
})

test('the tag of the Malayalam of India groups as India does', () => {
  const malayalam = createFormat('ml-IN', 'Asia/Kolkata')
  expect([malayalam.money('1234567.5'), malayalam.fullMoney('-1234567.5', 'USD'), malayalam.wholeMoney('147031.1', 'USD'), malayalam.fullMoney('0.5', 'EUR')]).toEqual(['12,34,567.50', '−$12,34,567.50', '$1,47,031', '€0.50'])
})

test('a figure has the tone of its sign', () => {
  expect([toneOf('0.01'), toneOf('-0.01'), toneOf('0.00')]).toEqual(['gain', 'loss', 'even'])
})

test('currencies have distinct signs', () => {
  const { currencySign } = createFormat('en-US', 'UTC')
  expect(['EUR', 'USD', 'AUD'].map(currencySign)).toEqual(['€', '$', 'A$'])
})

test('a duration is shown in its two largest units', () => {
  expect([0, 400, 59_499, 252_000, 3_600_000, 3_840_000, 183_600_000].map(format.duration)).toEqual(['0s', '0s', '59s', '4m 12s', '1h', '1h 4m', '2d 3h'])
})

test('weekdays and months have their names in every zone', () => {
  const tokyo = createFormat('en', 'Asia/Tokyo')
  expect([tokyo.weekday(1), tokyo.weekday(7), tokyo.shortWeekday(5), tokyo.month('2026-02-01')]).toEqual(['Monday', 'Sunday', 'Fri', 'February 2026'])
})

test('figures without cents and multiples carry their sign', () => {
  expect([format.signedWhole('461.9'), format.signedWhole('-0.4'), format.signedRatio(1.625), format.signedRatio(-0.4)]).toEqual(['+462', '0', '+1.63', '−0.40'])
})

test('Malayalam has its own words, Latin digits, and the signs that a trader knows', () => {
  const malayalam = createFormat('ml-IN', 'America/New_York')
  expect([malayalam.signedMoney('-1234.5'), malayalam.signedMoney('69.16'), malayalam.price(21604.25), malayalam.count(1_204_000)]).toEqual(['−1,234.50', '+69.16', '21,604.25', '12,04,000'])
  expect([malayalam.wholeMoney('-50214.61', 'USD'), malayalam.fullMoney('12', 'EUR'), malayalam.currencySign('USD')]).toEqual(['−$50,215', '€12.00', '$'])
  expect([malayalam.percent(0.583), malayalam.wholePercent(0.58), malayalam.signedPercent(-1)]).toEqual(['58.3%', '58%', '−100.0%'])
  expect([malayalam.dateTime('2026-02-13T19:41:07Z'), malayalam.time('2026-02-13T19:41:07Z'), malayalam.clock('2026-02-13T05:00:00Z')]).toEqual(['ഫെബ്രു 13, 14:41:07', '14:41', '00:00:00'])
  expect([malayalam.fullDay('2026-02-13'), malayalam.month('2026-02-01'), malayalam.weekday(1), malayalam.shortWeekday(5)]).toEqual(['2026 ഫെബ്രു 13', '2026 ഫെബ്രുവരി', 'തിങ്കളാഴ്‌ച', 'വെള്ളി'])
  expect([malayalam.duration(252_000), malayalam.age('2026-02-13T11:55:00Z', Date.parse('2026-02-13T12:00:00Z'))]).toEqual(['4 മി. 12 സെ.', '5 മിനിറ്റ് മുമ്പ്'])
})

test('no format of either language writes other than Latin digits', () => {
  const texts = ['en', 'ml-IN'].flatMap((tag) => {
    const { money, dateTime, fullDateTime, span, month, duration, percent, age } = createFormat(tag, 'Asia/Kolkata')
    return [money('1234567.89'), dateTime('2026-02-13T19:41:07Z'), fullDateTime('2026-02-13T19:41:07Z'), span('2026-02-13T16:02:00Z', '2026-02-14T22:00:00Z'), month('2026-02-01'), duration(3_840_000), percent(0.5), age('2026-02-10T12:00:00Z', Date.parse('2026-02-13T12:00:00Z'))]
  })
  expect(texts.filter((text) => /(?![0-9])\p{Nd}/u.test(text))).toEqual([])
})
