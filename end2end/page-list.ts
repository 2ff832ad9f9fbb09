// Every page, by who may see it: for the pictures and for the test of what screen readers are told.

export type Pages = Record<string, string>;

export const signedOut: Pages = {
  welcome: "/",
  "free-rooms": "/rooms",
  "guest-sign-in": "/guest/sign-in",
  "guest-register": "/guest/sign-in/new",
  "staff-sign-in": "/staff/sign-in",
  "not-found": "/nowhere",
};

/** Beth Gibbs, in room 302. */
export const checkedIn: Pages = {
  "guest-home": "/guest",
  "guest-bill": "/guest/folio",
  "guest-bookings": "/guest/bookings",
  "guest-book": "/guest/book",
  "guest-requests": "/guest/requests",
  "guest-story": "/guest/story",
  "guest-account": "/guest/account",
  "guest-concierge": "/guest/concierge/new",
  "guest-check-out": "/guest/check-out",
};

/** Sarah Johnson, who comes today. */
export const arriving: Pages = {
  "guest-arriving": "/guest",
  "guest-check-in": "/guest/check-in",
};

export const frontDesk: Pages = {
  today: "/staff",
  rooms: "/staff/rooms",
  room: "/staff/rooms/302",
  tape: "/staff/tape",
  stay: "/staff/stays/BK-0042",
  "stay-check-out": "/staff/stays/BK-0042/check-out",
  "stay-change": "/staff/stays/BK-0042/change",
  "stay-move": "/staff/stays/BK-0041/move?room=306",
  "stay-request": "/staff/stays/BK-0042/request",
  "stay-cancel": "/staff/stays/BK-0034/cancel",
  cases: "/staff/cases",
  case: "/staff/cases/00001001",
  "new-case": "/staff/cases/new",
  guests: "/staff/guests?query=gibbs",
  guest: "/staff/guest?email=beth.gibbs@email.com",
  "new-guest": "/staff/guests/new",
  book: "/staff/book",
  find: "/staff/find?q=302",
  attention: "/staff/attention",
  executions: "/staff/executions",
  compensations: "/staff/compensations",
  charges: "/staff/charges",
  refund: "/staff/refund",
  payments: "/staff/payments",
  systems: "/staff/systems",
  "fault-injection": "/staff/fault-injection",
  audit: "/staff/audit?show=all",
  tokens: "/staff/tokens",
  concierge: "/staff/concierge/new",
  conversations: "/staff/conversations",
  keys: "/staff/keys",
  account: "/staff/account",
  wall: "/staff/wall",
};

/** Who works in the rooms, each with their own. */
export const crew = (role: string): Pages => ({ [`${role}-today`]: "/staff", [`${role}-cases`]: "/staff/cases" });
