"""Faults that a reader sees at once: sentences labelled by hand, most of them of real documents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Kind
from core.summarisers.faults import fault_of, leans_back

FAULTY = {
    "question": [
        "Is the heart a pump?",
        "How does the heart beat?",
        "Why does the author ask, “Is it over?”",
        "“Why believe, for example, the Christian Bible?”",
        "Why is effective transitional care essential for clients with chronic conditions?",
        "Explain your reasoning.",
        "Discuss how the two methods differ.",
        "Wo liegt die Quelle der Donau?",
        "春天什么时候来？",
    ],
    "goes on": [
        "The following API changes will be made:",
        "The prior art configuration process is shown in and is as follows.",
        "FIG. 2 is an illustrative example of a target image in accordance with an aspect;",
        "The main differences to prior revisions of this BIP are:",
        "Removes the old flag, and",
        "Three kinds of errors are told apart, namely the following.",
        "Examples of git commands in this PEP use the following approach.",
        "Implementations MAY choose one of the following fulfillment semantics.",
        "Further advantages will be seen from the following detailed description.",
        "We are grateful to the editors, the reviewers, and",
        "Die Brücke hat drei Teile:",
    ],
    "fragment": [
        "Tail-call Optimization",
        "Offering incentives to management for strong performance and ethical behavior",
        "As a consequence, the expressions for the effective exchange rates are",
        "those that add or remove keyword-only parameters.",
        "None.",
        "See notes.",
        "8. A cell according to claim 1, wherein the cell is a muscle cell.",
        "(a) the temperature of the second fluid is measured.",
        "- Add support for custom resolvers.",
        "which is what the court had asked for.",
        "parity PR #8330",
        "(The gravitational force is the only force we experience directly.)",
        "Is issuance neutral over 1 year, and reduces issuance beyond that.",
        "When other on-chain token semantics are not desired.",
        "Step 4: Compare your graphs to each of your classmates’ graphs.",
        "Called by the recorded finalizer to initiate completion of the payment transfer.",
    ],
    "points away": [
        "Examine that table and notice that the composition of the Sun is different.",
        "For the example below, a processor is allocated to each container.",
        "The table is a drug prototype table for other weight-loss drugs.",
        "This section will discuss how the Internet has transformed traditional media.",
        "The following section describes the creation of this model.",
        "As we saw earlier, such an explosion requires a massive star.",
        "Additional motivation and background can be found in ERC-1538 and ERC-2535.",
        "For more details see Yew et al., 2011.",
        "The client listens to the events defined in the previous section.",
        "We describe the process in Section 2, and propose the model in Section 3.",
        "The Euler trail that was found in the figure is t, v, w.",
        "Below, we describe a new technique for grammar induction.",
        "Below are request interfaces for the versions specified at the time of writing.",
        "This paper begins with an introduction to the Naive Bayesian classifier.",
        "The paper is organized as follows: Section 2 discusses previous approaches.",
        "In the following example the attribute inlines a function.",
        "The full list of fields is provided below.",
        "FIG. 1 shows a sliceable router structure utilizing optical OFDMA interface.",
        "Table 2 lists some of the probabilities learned by this approach.",
        "As illustrated in the table, it is possible for an opinion to have more than one target.",
        "See below for client teaching guidelines.",
        "Results are shown in Table 4.",
        "The distribution of sense tags in the data set is presented in Table 1.",
        "The distribution learned via the generative model is described in detail below.",
        "Referring now to the drawings, a pump 10 has two valves.",
        "In Figure 3 we compare the three models.",
        "Refer to Section 4 for the proof.",
        "In this section we describe our probability model.",
        "In Section 3, we present some technical background.",
        "In the illustrated embodiment, the arms receive the weights.",
        "Recall from the last chapter that trade makes both countries richer.",
        "As can be seen, our parser requires one twentieth of the edges.",
        "Section 3.3 presents the architecture and results of the experiments.",
        "Section 4 discusses automatic evaluations of paraphrases.",
        "For the full specification of the call see EIP-1474.",
        "The configuration values can be found in the Consensus Layer specs.",
        "Along with the expression data presented above, the loss shows that both are regulators.",
        "In sentence (1a), “and” is a connective between the two clauses.",
        "The remainder of this paper is organized as follows: Section 2 defines the problem.",
        "An example of the command for the television in XML appears below.",
        "It is clear from the examples above that connectives stand at the front.",
        "Let’s calculate the elasticity between points A and B.",
        "To understand how, let's follow the connections to the short run.",
        "The elasticity falls from left to right, as the figure shows, for each line.",
        "As shown at the receiving device computes the bearing vector.",
        "Attempts to unify the forces are discussed in relation to particles later in this text.",
    ],
    "rubble": [
        "An example system for various analytics is described below with reference to.",
        "Co-occurrence does not tell such expressions apart (Manning and others, 1999, Ch.",
        "It is used when set. https://github.com/kubernetes/issues/62288 type NetworkConfig.",
        "The request has struct NetworkConfig { // CIDR to use for IP addresses.",
        "A hardware configuration example of each of the server devices is shown in.",
        "An error bit is generated with the error detection circuit of.",
        "Vitamin A was least used. shows that immunization schedules were similar.",
        "With reference to shown is the second embodiment of the pump.",
        "The samples ( ) were kept warm, , and then cooled.",
        "We write E = mc^2 / (2 k_B T) x 10^23 (1 + 3.2e-4) = 7.",
        "The values are kept | in | a table that was lost | |.",
        "Copied text \ufffd\ufffd with holes.",
        "Contents .......... 3 are listed at the start.",
        "The storing process is then ended and processing returns to.",
        "The controller displays a menu shown in on the display unit.",
        "FIG. is a diagram of the system that was built.",
        "At block in an embodiment an operation of connecting the device is performed.",
    ],
    "boilerplate": [
        "© 2016 The Authors.",
        "This is an open access article distributed under a Creative Commons licence.",
        "All rights reserved by the publisher.",
        "Correspondence should be addressed to the second author.",
        "The authors declare that no competing interests exist.",
        "This document is licensed under the Apache licence.",
        "For more of these stories, you can go to http://bit.ly/astronomyscifi.",
        "Click here to read on.",
    ],
}
FINE = [
    "The authors explain why the pump fails and discuss how it can be mended.",
    "The protein can be found in the liver of most animals.",
    "The table of the king stood in the hall.",
    "In the figure of the hero the author describes himself.",
    "Subject to section 4, the operator must report each failure.",
    "Pairs are written in braces, as in {a, b}.",
    "Prices fell in the following years.",
    "The heart beats (why does it?) without a nerve.",
    "Cells were grown for approx. three days.",
    "The gene of interest was lost. fst(RNAi) animals had normal cells.",
    "The change made the type a bit more annoying to work with.",
    "E. coli polar lipids in chloroform were dried under nitrogen and resuspended in buffer.",
    "Our approach does not learn the error-correcting rules.",
    "mRNA levels were measured twice a day.",
    "let-7 was previously demonstrated to regulate the pathway (Zhu et al., 2011).",
    "iPhone sales rose by 3 %.",
    "read_all() returns every row of the file.",
    "The rate fell to 3.5 (Figure 2).",
    "Prices doubled in 1974, as the embargo went on.",
    "The local function execution unit performs a process corresponding to the extended script.",
    "“We can go,” he said.",
    "When the valve opens, water runs.",
    "If a request relates to a store that holds secrets the driver sends it through a safe socket.",
    "The pump (and the valve) is red.",
    "Section 4.4 shows that co-training works when the labelled data is of another kind.",
    "The protein can be found in many animals, and the code of life is in all.",
    "Die Preise stiegen um ein Drittel.",
    "物价上涨了三分之一。",
    "Figures of speech are common in letters.",
    "The table was laid for two.",
    "A method is described in which heat is moved by a pump.",
]
LEANING = [
    "We refer to this as the hierarchical Chinese restaurant process.",
    "Rely on this behavior instead of the expected one.",
    "Now there is a restriction on the role.",
    "Some of these application states may be of interest.",
    "Each of those closed capsules was then used as a lasso.",
    "This becomes a problem especially when the debate post is small.",
    "These results suggested that C. elegans and vertebrates share a conserved opioid system.",
    "It furthermore connects the leading and lagging strand polymerases.",
    "However, Apple's platforms have a logging system of their own.",
    "He also personally disliked McClellan.",
    "For example, a brand may attract hundreds of mentions on Twitter each day.",
    "In addition, the valve is closed.",
    "Thus solving the problem of resolving the correct address.",
    "Such a metric may be established by following a method.",
    "To achieve this, two pumps are connected.",
    "As a result, costs fell.",
    "The latter is cheaper.",
    "But nobody came.",
    "They were told to leave.",
    "“It was late,” she said.",
    "With this method, errors are rare.",
    "Another is that heat is lost.",
    "Similarly subscribers will continue to subscribe for the events.",
    "Alternatively due to terrain the field unit must be connected to an antenna.",
    "According to this theory, an active person is happier.",
    "Given this notation, the product is easily found.",
    "Even if this is the case, fewer errors are made.",
    "Importantly, this approach moderates the rate of change.",
    "Through this pathway, cells respond to insulin.",
    "In other embodiments, the receptacle does not include a removable side.",
    "We also collected a list of pairs from each corpus.",
    "The second step is to apply a series of transformations.",
    "In response to these problems, they describe other methods.",
    "It is also effective for the treatment of herpes viruses.",
    "In that work a set of sentences is first taken from the web.",
    "To the extent they do so, companies act more ethically.",
    "Because it was cheap, the pump was sold everywhere.",
    "Still more particularly the invention relates to a system for software.",
    "In a further variation the call is triggered by a request from a browser.",
    "An example would be that “and” or “but” signal a new topic.",
    "Other criticisms focus on the unreliability of the method.",
    "The second possibility is to use a grammar in the channel model.",
    "In the vast majority of cases, however, the lifetimes follow a simple pattern.",
    "To achieve the above described object there is provided a paper.",
    "One reason is that free riding can be overcome in many ways.",
    "Interestingly, when these genes are combined, more growth is seen.",
    "Florian et al. (2003) employed the same technique for sets of learners.",
    "A prominent example of this is the use of steroid drugs by athletes.",
    "We argue that this rich feature set allows the model to learn.",
    "By specifying this attribute, the alignment is the smaller of the two.",
    "Although the degree to which these shared microbes are at home is not known, many are.",
    "The currently recommended approach to this is to create a file.",
    "We study these two questions on words alone.",
    "Initially, however, these changes are small.",
    "As there is no such common location, there is no need for two folders.",
    "Most of the complexity of the scheduler comes from this requirement.",
    "From it grew the science of astronomy.",
    "Among them, Gpr52 is of special interest.",
    "In a similar way we can simplify the description.",
    "Let's do the same for functions of whole numbers.",
    "At the onset of the war, they stood as equal combatants.",
]
STANDING = [
    "Many of those who survived went blind.",
    "This paper presents a method for moving heat.",
    "In this study, we show that pumps save power.",
    "This PEP proposes a new syntax.",
    "This present invention relates to pumps.",
    "It is well known that heat rises.",
    "It turns out to be cheaper to move heat than to make it.",
    "There are three kinds of pumps.",
    "Theirs is not to reason why.",
    "However small, a pump needs power.",
    "Overall, our results show that pumps save power.",
    "Collectively, these results show that pumps save power.",
    "Given enough time, heat spreads.",
    "Since it is not possible to heal the disease, pain is treated.",
    "Used by farmers for centuries, the pump is simple.",
    "Our parser follows the same approach as that of Collins.",
    "Together, these data show that the domains are needed.",
    "Taken together these results show that pumps save power.",
    "The aim of this paper is to compare pumps.",
    "The changes proposed in this PEP will break most programs.",
    "Water is moved by parts such as pumps.",
    "The pump is built in such a way that it lasts.",
    "Fossil fuels are still widely used these days.",
    "Farmers who grow wheat, rice and maize sell these at the market.",
    "The virtual store as such is not new.",
    "In some embodiments the atoms are Gabor atoms.",
    "The second law of thermodynamics says that heat spreads.",
    "We show that pumps save power.",
    "Generally, theories focus on how society is created.",
    "Butter is made of cream.",
    "Italy has many lakes.",
    "Sons of the king went to war.",
    "In 1973, prices doubled.",
    "Other people's money is easily spent.",
]


@pytest.mark.parametrize(
    ("fault", "text"), [(fault, text) for fault, texts in FAULTY.items() for text in texts]
)
def test_a_fault_is_seen(fault: str, text: str) -> None:
    assert fault_of(text, Kind.PARAGRAPH) == fault


@pytest.mark.parametrize("text", [*FINE, *STANDING])
def test_what_has_no_fault_is_left_alone(text: str) -> None:
    assert fault_of(text, Kind.PARAGRAPH) is None


@pytest.mark.parametrize("text", LEANING)
def test_what_leans_on_the_sentence_before_is_seen(text: str) -> None:
    assert leans_back(text)


@pytest.mark.parametrize("text", [*STANDING, *FINE])
def test_what_stands_alone_does_not_lean(text: str) -> None:
    assert not leans_back(text)


@given(st.text(max_size=300))
def test_any_text_can_be_asked_about(text: str) -> None:
    fault_of(text, Kind.LIST_ITEM)
    leans_back(text)


@pytest.mark.parametrize(
    "text", ["When " + "a" * 2000, "When " + "a " * 1000, "is " * 700, "(" * 2000, ", " * 1000]
)
def test_the_longest_sentence_takes_no_time(text: str) -> None:
    for end in (",", ".", "?", "!x"):  # a pattern that goes back and forth would hang here
        fault_of(text + end, Kind.PARAGRAPH)
        leans_back(text + end)
