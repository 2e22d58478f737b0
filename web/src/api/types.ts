// The interface's types by short names. They are made from api/openapi.yaml; what that leaves open is written here.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Website = Schemas["Website"];
export type Account = Schemas["Account"];
export type Key = Schemas["Key"];
export type Session = Schemas["Session"];
export type Share = Schemas["Share"];
export type Subscription = Schemas["Subscription"];
export type Mail = Schemas["Mail"];
export type Alert = Schemas["Alert"];
export type Webhook = Schemas["Webhook"];
export type WebhookAttempt = Schemas["WebhookAttempt"];
export type Overview = Schemas["Overview"];
export type Installation = Schemas["Installation"];
export type TOTP = Schemas["TOTP"];
export type Metric = Schemas["Metric"];
export type Question = Schemas["Question"];
export type Days = Schemas["Days"];
export type Meta = Schemas["Meta"];
export interface Page<T> {
  data: T[];
  meta: Meta;
}

export type Revenue = Record<string, number>;
export type Numbers = { value?: string; revenue?: Revenue } & Partial<Record<Exclude<Metric, "revenue">, number>>;
export type Row = Numbers & {
  code?: string;
  previous?: Numbers;
  change?: Partial<Record<Metric, number | null>>;
};
export interface Table {
  dimension?: string;
  metrics: Metric[];
  rows: Row[];
  total: number;
}
export interface Answer {
  period: Days;
  comparison?: Days;
  totals: Row;
  answers: Table[];
  partial: boolean;
}
export interface Filter {
  dimension: string;
  op: "is" | "is_not" | "contains" | "not_contains";
  values: string[];
}
export interface Query {
  website_id: number;
  period: string | Days;
  compare?: "previous_period" | "previous_year" | Days;
  filters?: Filter[];
  questions: Question[];
}

export interface Dashboard {
  id: number;
  domain: string;
  timezone: string;
  privacy: 0 | 1 | 2;
  access: "owner" | "editor" | "viewer" | "public" | "shared";
  places_by: { text: string; url: string } | null;
}
export interface Live {
  visitors: number;
  seconds: number;
  pages: { value: string; visitors: number }[];
  countries: { value: string; code?: string; visitors: number }[];
}
export interface Annotation {
  id: number;
  day: string;
  text: string;
}
export interface Drops {
  received: number;
  counted: number;
  dropped: { reason: string; text: string; count: number }[];
}
