"""The meaning of a column's name, by a small table of words in English, German, French, Spanish and Italian.

Direct identifiers follow the Safe Harbor list of the HIPAA Privacy Rule (45 CFR 164.514(b)(2)), sensitive columns the
special categories of the General Data Protection Regulation (Article 9), with money beside them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

Role = Literal["quasi", "sensitive", "identifying", "other"]
LONG_WORD = 6  # letters; such a word is also found at the start or end of a longer one: geburt in Geburtsdatum
ENDINGS = ("name",)  # found at the end of a longer word, too: custname


@dataclass(frozen=True)
class Meaning:
    """The meaning of a name: the role, a description, and whether the word alone is weak evidence.

    words    words of which a name has one
    entire   words that mean it only if the name has no other
    """

    role: Role
    what: str
    words: tuple[str, ...]
    entire: tuple[str, ...] = ()
    weak: bool = False


# The role and the meaning of names with one of the words below them; ? marks words that are weak evidence alone, and =
# words that must be the entire name, such as variables of well-known surveys. The first match counts: `age at
# diagnosis` is an age, `city name` a place and not a person's name.
TABLE = """
identifying: the name of a person
    first_name last_name full_name family_name given_name middle_name maiden_name patient_name surname lastname
    firstname fullname forename username user_name initials vorname nachname familienname prenom apellido apellidos
    cognome maiden policyholder =first =last =middle
identifying: a mail address, telephone number or device
    email mail e_mail phone telephone telefon telefono mobile handy portable movil fax ip mac imei tel courriel correo
identifying: an address
    address adresse direccion indirizzo street strasse rue calle url website
identifying: a personal number
    ssn social_security national_id passport driver_licence driver_license licence_plate license_plate vin mrn nhs
    medical_record iban bic credit_card card_number tax_id nif dni nie nir bsn cpf curp ahv svnr codice_fiscale steuer
    sozialversicherung rentenversicherung securite_sociale seguridad_social insurance_number account_number barcode
identifying: a picture or fingerprint
    photo photograph portrait signature fingerprint biometric
quasi: an age
    age ages alter edad eta agep ageg agegroup agecat
quasi: a birth
    birth birthday birthdate birthplace born dob yob geburt geboren naissance nacimiento nascita yrbirth mobirth
    birthyear birthyr gebjahr gebdat gebtag
quasi: a date
    date dates datum fecha data_di admission discharge visit death aufnahme entlassung hired arrival departure datetime
    timestamp eintritt austritt
sensitive: health
    health gesundheit sante salud salute diag complaint special_needs disabled handicap behinderung discapacidad
    disabilita disease diseases diagnosis diagnoses illness condition symptom symptoms medication drug drugs treatment
    therapy icd dgns hiv cancer diabetes stroke depression comorbidity allergy psychiatric disability pregnant pregnancy
    genetic genotype blood krankheit diagnose befund medikament maladie diagnostic traitement enfermedad diagnostico
    tratamiento malattia diagnosi
sensitive: money
    bal umsatz vermogen income inc pay savings expenses expenditure expend assets sales profit tax taxes fedtax =pincp
    =wagp =thinc salary wage wages earnings revenue debt loan balance credit_score net_worth einkommen gehalt lohn
    salaire revenu salario sueldo ingreso ingresos stipendio reddito
sensitive: a belief, an orientation or an offence
    religion religious belief faith political politics party trade_union sexual orientation offence offense crime
    conviction sentence arrest glaube partei
quasi: sex or gender
    male female anrede salutation civilite sex gender geschlecht sexe genre sexo genero sesso genere sexvar
quasi: a postal code
    zip zipcode postal postcode postalcode plz postleitzahl code_postal codigo_postal cap
quasi: a place
    =nation neighbourhood neighborhood stadtteil quartier barrio quartiere cittadinanza ciudadania migration city town
    village county district region state province municipality location place country nationality citizenship native
    residence latitude longitude lat lon ort stadt wohnort land kreis staatsangehorigkeit ville lng foreign nativity
    immigrant immigration citizen tract precinct tower hospital clinic ward bundesland gemeinde comune puma pobp =st
    =cit pays commune nationalite ciudad pais nacionalidad citta paese provincia nazionalita
quasi: descent
    race rac raceallp hisp hispanic latino lanp ethnicity ethnic ethnie origin herkunft raza etnia razza language
    sprache langue
quasi: a family
    relat hhcivil marriage parentesco verwandtschaft parente marst mstat =mar famsize partner filing_status
    situation_familiale kinder enfants hijos figli marital married spouse civil_status family_status relationship
    household children dependents familienstand ehestand etat_civil estado_civil stato_civile
quasi: a home
    roof walls water electcon housing home_ownership homeowner dwelling urban rural urbrur
quasi: education
    ed_level educativo nivel_de_estudios laurea year_group class_year educ educa edu medu fedu schl isced etudes
    estudios studio education degree school schooling qualification university bildung ausbildung abschluss schule
    diplome ecole educacion escuela istruzione scuola
quasi: work
    poste puesto mansione taetigkeit tatigkeit occ occp isco emp employ mjob fjob department dept abteilung departamento
    =mil occupation profession job employer employment workclass work_class industry beruf arbeitgeber metier ocupacion
    profesion trabajo professione lavoro
identifying?: a name
    name names nom nombre nome
identifying?: a number that identifies a person or record
    id ids identifier ident uuid guid account user serial kennung nummer record_number case_number patient_number
"""


def _meanings(table: str) -> Iterator[Meaning]:
    for role, weak, what, words in re.findall(r"^(\w+)(\??): (.*)\n((?: .*\n)+)", table, re.MULTILINE):
        parts = [word.replace("_", " ") for word in words.split()]
        among = tuple(word for word in parts if not word.startswith("="))
        entire = tuple(word.removeprefix("=") for word in parts if word.startswith("="))
        yield Meaning(role, what, among, entire, bool(weak))


MEANINGS = tuple(_meanings(TABLE))


def meaning_of(name: str) -> Meaning | None:
    """Return the meaning of a column's name, if any.

    >>> meaning_of("Geburtsdatum").what, meaning_of("patientID").role, meaning_of("hours-per-week")
    ('a birth', 'identifying', None)
    """
    return next(iter(meanings_of(name)), None)


def meanings_of(name: str) -> Iterator[Meaning]:
    """Iterate over everything that a column's name may mean, the most telling first."""
    words = f" {' '.join(plain_words(name))} "
    return (meaning for meaning in MEANINGS if _pattern(meaning.words).search(words) or words.strip() in meaning.entire)


def plain_words(name: str) -> list[str]:
    """Split a name into lower-case words without accents, at punctuation and at capitals within."""
    cut = re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=[a-zß-ÿ])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", name)
    decomposed = unicodedata.normalize("NFKD", cut.casefold())
    return re.findall(r"\w+", "".join(character for character in decomposed if not unicodedata.combining(character)))


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for words between blanks; a long one also matches the beginning or the end of a word."""
    whole = [f"(?<= ){re.escape(word)}(?= )" for word in words]
    long = [re.escape(word) for word in words if len(word) >= LONG_WORD and " " not in word]
    endings = [f"{word}(?= )" for word in words if word in ENDINGS]
    return re.compile("|".join([*whole, *(f"(?<= ){word}|{word}(?= )" for word in long), *endings]))
