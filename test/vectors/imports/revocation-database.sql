--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accumulator_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accumulator_records (
    cred_type text NOT NULL,
    data bytea,
    pk_counter bigint NOT NULL
);


--
-- Name: event_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_records (
    eventindex bigint NOT NULL,
    cred_type text NOT NULL,
    pk_counter bigint NOT NULL,
    e bytea,
    parent_hash bytea
);


--
-- Name: issuance_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.issuance_records (
    revocationkey text NOT NULL,
    cred_type text NOT NULL,
    issued bigint NOT NULL,
    pk_counter bigint,
    attr bytea,
    valid_until bigint,
    revoked_at bigint
);


--
-- Data for Name: accumulator_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accumulator_records VALUES ('svc-demo.gov.permit', '\x59019ba2634d7367590146a4624e75590100756bdd12e9a251c2fc59c1326d8cbe293db693bc21ae7f209c13261facecf5446b692945716a22f277f53cad15358c31d6d027ee38cce1ea75bca9206c34c84f3be7522d39c80e57332493195f71c5c27df16aa167f71916580a612b2a2684724f8b51693f2d031054b383a34eb5bc60f03ab75dc1c67572f531b3df11b0eaee62e73b5de908cd330eecc8fee77f3ce2cc4d53f032fb8d3b7cf5ac6a6f27bd6aa8893c0e0f7e4038ac73d4040c799c96a0e6786e45bafc645b1f9c6b2d7440774844988ba92d602a9ca3902c3660ccf5c3ab8be8957d937db6d6a4683208db4ee2537730506ddfc00a3d864f109096484eb0a9d8c62fa95244459d3afc0296bc65496e646578026454696d651a6b08f9e6694576656e744861736858221220df5f6c5faddefc16478ecf4d92cce7830698ed22314e040c9403be9c8cf71fe2635369675847304502201379eb9f243febe25540a1b8c905490022153ed2e2a11243ad91928365ca0329022100ec7a6d8a05ee9124c72f3854c936efe440dc600d9e2f1e750ad1b171cbecdaaf', 0);
INSERT INTO public.accumulator_records VALUES ('svc-demo.fast.badge', '\x590119a2634d736758c5a4624e75588049f5a3338b7f4e293ca21981ad5df61d3676d021cf6df521371f5dec8057ed4b0120ed9f26b9dd9bfb78f6f9ed6f475c7e0e455eb42d455afa013ce2fa0f6637483e725892abbd37926fd19a8d34ad65be45e8b0973eb29c334b4dc9021aee5987c77e001d760c2c8a52fdd65a5b1f0874e5d4464abdde7c5d7b012cb65d063065496e646578036454696d651a6b08f9e6694576656e7448617368582212207796baeef5401c88fcfd8d68bc96f5628281871b7b16418e22e625abf9c392d1635369675847304502202f5e610232e46168186655b4ba0265444e6fece261faf51fb5f49d663d1552f7022100c4c1ef2ea7d34ca503093a091e0c8fe9a3b0ae4143d6ffd88b8aa50a3912e966', 0);


--
-- Data for Name: event_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.event_records VALUES (0, 'svc-demo.fast.badge', 0, '\x01', '\x12200000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO public.event_records VALUES (0, 'svc-demo.gov.permit', 0, '\x01', '\x12200000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO public.event_records VALUES (1, 'svc-demo.fast.badge', 0, '\x2a2ce379a9d07b56004d686d856b9255f2c3a10f96c8ec43', '\x1220c88ca8e2655297750c8c785049234d117485eff28e33374d0e88f31ed285617b');
INSERT INTO public.event_records VALUES (2, 'svc-demo.fast.badge', 0, '\x068152a0b9b541424210c2467574e517682812731cf57dc40f', '\x1220eb4771c15447a88f3a9b94215941aa998186311cbd40744fb662e920b21e3169');
INSERT INTO public.event_records VALUES (1, 'svc-demo.gov.permit', 0, '\x0692bb67493865ef019898db285572f20508a0191f42edc19d', '\x1220c88ca8e2655297750c8c785049234d117485eff28e33374d0e88f31ed285617b');
INSERT INTO public.event_records VALUES (2, 'svc-demo.gov.permit', 0, '\x06132433a4f50c8f63e3d66e571b111009ea795e0d083092bb', '\x1220571ae7a423598d413a335c070115bd3b47d05e0f49be1aacafb602db8a01e646');
INSERT INTO public.event_records VALUES (3, 'svc-demo.fast.badge', 0, '\x03d07b864023559d1b66e6a040eea8c49fe9e404bd3bdbcd27', '\x122062b5c7428e10b67a0abb4e6d4ce12835df3492eda342fca841f9fc427f44e161');


--
-- Data for Name: issuance_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.issuance_records VALUES ('b-4', 'svc-demo.fast.badge', 1795750370755804128, 0, '\x0397f90cd157c194386d07041a8fa2e7962a44e73eb6a563bd', 1811376000000000000, 0);
INSERT INTO public.issuance_records VALUES ('p-2', 'svc-demo.gov.permit', 1795750372082396591, 0, '\x0419be80e38a4d96bd526a6bdff5ab5788adc765af8d093951', 1811376000000000000, 0);
INSERT INTO public.issuance_records VALUES ('b-3', 'svc-demo.fast.badge', 1795750373168319376, 0, '\x05e1f76077b799e910f93421af0f8e06a134da268e9a1fa88b', 1811376000000000000, 0);
INSERT INTO public.issuance_records VALUES ('b-short', 'svc-demo.fast.badge', 1795750373807285012, 0, '\xb2ecff7bf2f11a952c27d3badf399d9f4615390ad1588603', 1796860800000000000, 0);
INSERT INTO public.issuance_records VALUES ('b-1', 'svc-demo.fast.badge', 1795750368791928434, 0, '\x2a2ce379a9d07b56004d686d856b9255f2c3a10f96c8ec43', 1811376000000000000, 1795750374012488226);
INSERT INTO public.issuance_records VALUES ('b-2', 'svc-demo.fast.badge', 1795750369429778669, 0, '\x068152a0b9b541424210c2467574e517682812731cf57dc40f', 1811376000000000000, 1795750374026070451);
INSERT INTO public.issuance_records VALUES ('p-1', 'svc-demo.gov.permit', 1795750371401473236, 0, '\x0692bb67493865ef019898db285572f20508a0191f42edc19d', 1811376000000000000, 1795750374036403912);
INSERT INTO public.issuance_records VALUES ('Ключ é 3', 'svc-demo.gov.permit', 1795750372828451387, 0, '\x06132433a4f50c8f63e3d66e571b111009ea795e0d083092bb', 1811376000000000000, 1795750374052829470);
INSERT INTO public.issuance_records VALUES ('b-3', 'svc-demo.fast.badge', 1795750370090218717, 0, '\x03d07b864023559d1b66e6a040eea8c49fe9e404bd3bdbcd27', 1811376000000000000, 1795750374099224434);


--
-- Name: accumulator_records accumulator_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accumulator_records
    ADD CONSTRAINT accumulator_records_pkey PRIMARY KEY (cred_type, pk_counter);


--
-- Name: event_records event_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_records
    ADD CONSTRAINT event_records_pkey PRIMARY KEY (eventindex, cred_type, pk_counter);


--
-- Name: issuance_records issuance_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.issuance_records
    ADD CONSTRAINT issuance_records_pkey PRIMARY KEY (revocationkey, cred_type, issued);


--
-- PostgreSQL database dump complete
--


